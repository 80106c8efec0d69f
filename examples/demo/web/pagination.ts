// Splits a list into pages. The header `Link` has the first, previous, next and last page (RFC 8288).
import type { Request, Response } from '../framework';
import { integer, requireFields } from './fields';

export interface Page<T> {
  readonly page: number;
  readonly pages: number;
  readonly total: number;
  readonly items: T[];
}

/**
 * Reads `?page` and `?per_page`, and sets the header `Link`. The links keep the other query parameters of the request.
 */
export function paginate<T>(req: Request, res: Response, all: readonly T[]): Page<T> {
  const { page, per_page: size } = requireFields(
    { page: integer(1, 9999, 1), per_page: integer(1, 100, 20) },
    req.query,
  );
  const pages = Math.max(1, Math.ceil(all.length / size));
  const [path] = req.originalUrl.split('?');
  const link = (to: number): string => {
    const query = new URLSearchParams(req.query as Record<string, string>);
    query.set('page', String(to));
    return `${path}?${query}`;
  };
  res.links({
    first: link(1),
    ...(page > 1 && { prev: link(Math.min(page - 1, pages)) }),
    ...(page < pages && { next: link(page + 1) }),
    last: link(pages),
  });
  return { page, pages, total: all.length, items: all.slice((page - 1) * size, page * size) };
}
