// Selects the notices in the language that the visitor prefers.

import { type Language, languages } from '../desk/announcements';
import type { Desk } from '../desk/desk';
import type { Request, Response } from '../framework';

export function announcementsFor(
  req: Request,
  res: Response,
  desk: Desk,
): ReturnType<Desk['announcements']['in']> {
  res.vary('Accept-Language');
  const expected = req.acceptsLanguages(...languages);
  return desk.announcements.in(expected ? (expected as Language) : 'en');
}
