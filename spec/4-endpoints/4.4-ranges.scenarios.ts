/** Scenarios for req.range() and express.static(), with the Range headers of fixtures/ranges. §4.4 */
import type { Expected } from '../../parity/client/messages';
import { get } from '../../parity/client/request';
import { scenario } from '../../parity/scenario/scenario';
import { RANGES, type Ranges } from './ranges';

const SIZES = [0, 1, 10, 2 ** 53 - 1];

export default Object.entries(RANGES).map(([name, { cases }]) => {
  const fields = [...new Set(cases.map(({ field }) => field))].filter((field) =>
    /^[\x21-\x7e][\t\x20-\x7e]*$/.test(field),
  );
  /** What `/read` responds, for each size without and with combine. */
  const asRecorded = (field: string): Expected => ({
    json: SIZES.map((size) => {
      const one = cases.find((each) => each.field === field && each.size === size);
      return [one?.ranges, one?.combined].map((ranges) => ranges && asTold(field, ranges));
    }),
  });
  return scenario({
    name: `req.range and express.static read the Range headers of fixtures/ranges/${name}`,
    clauses: ['F-4.4-26', 'F-4.4-27', 'F-4.4-28', 'F-4.4-29', 'F-4.4-30', 'F-4.4-31', 'F-4.4-32', 'F-7-13'],
    build({ framework, files }) {
      const app = framework().set('env', 'test');
      app.get('/read', (req, res) => {
        const tell = (ranges: ReturnType<typeof req.range>) =>
          typeof ranges === 'object' ? { unit: ranges.type, ranges: [...ranges] } : (ranges ?? null);
        res.json(SIZES.map((size) => [tell(req.range(size)), tell(req.range(size, { combine: true }))]));
      });
      app.use(framework.static(files));
      return app;
    },
    requests: fields.flatMap((field) => [
      get('/read', { Range: field }).expect(asRecorded(field)),
      get('/hello.txt', { Range: field }),
    ]),
  });
});

function asTold(field: string, ranges: Ranges): unknown {
  if (ranges === 'unsatisfiable') return -1;
  if (ranges === 'malformed') return -2;
  return { unit: field.split('=', 1)[0], ranges: ranges.map(([start, end]) => ({ start, end })) };
}
