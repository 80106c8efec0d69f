import framework from 'nozomi';
import request from 'supertest';

/** What `look` makes of a request to `target` that matched `path`, as JSON gives it back. */
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
