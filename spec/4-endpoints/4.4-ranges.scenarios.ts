/** Scenarios for req.range() and express.static(), with the Range headers of fixtures/ranges. §4.4 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { get } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';

const CORPUS = join(__dirname, '..', '..', 'fixtures', 'ranges');

const fieldsOf = (name: string): string[] => {
  const { cases } = JSON.parse(readFileSync(join(CORPUS, name), 'utf8')) as {
    cases: Array<{ field: string }>;
  };
  return [...new Set(cases.map(({ field }) => field))].filter((field) =>
    /^[\x21-\x7e][\t\x20-\x7e]*$/.test(field),
  );
};

export default readdirSync(CORPUS)
  .filter((name) => name.endsWith('.json') && name !== 'schema.json')
  .map((name) =>
    scenario({
      name: `req.range and express.static read the Range headers of fixtures/ranges/${name}`,
      clauses: ['F-4.4-26', 'F-4.4-27', 'F-4.4-28', 'F-4.4-29', 'F-4.4-30', 'F-4.4-31', 'F-4.4-32', 'F-7-13'],
      build({ framework, files }) {
        const app = framework().set('env', 'test');
        app.get('/read', (req, res) => {
          const tell = (ranges: ReturnType<typeof req.range>) =>
            typeof ranges === 'object' ? { unit: ranges.type, ranges: [...ranges] } : (ranges ?? null);
          res.json(
            [0, 1, 10, 2 ** 53 - 1].map((size) => [
              tell(req.range(size)),
              tell(req.range(size, { combine: true })),
            ]),
          );
        });
        app.use(framework.static(files));
        return app;
      },
      requests: fieldsOf(name).flatMap((field) => [
        get('/read', { Range: field }),
        get('/hello.txt', { Range: field }),
      ]),
    }),
  );
