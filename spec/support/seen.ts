import framework from 'nozomi';
import request from 'supertest';

/** The result of `look` for a request to `target` with a route `path`, after JSON. */
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
