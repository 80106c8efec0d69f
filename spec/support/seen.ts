import framework from 'nozomi';
import request from 'supertest';

/** @returns The result of `look` in a handler of the route `path`, as JSON restores it. */
export async function seen(
  path: string,
  look: (req: framework.Request) => unknown,
  target = path,
  headers: Record<string, string> = {},
) {
  const app = framework();
  app.get(path, (req, res) => res.json(look(req)));
  return (await request(app).get(target).set(headers)).body;
}
