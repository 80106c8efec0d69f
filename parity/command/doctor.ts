/** `nozomi-parity doctor`: finds mistakes in the routes of an application and in the packages that it loads. */
import { CODES } from '../inspect/findings/codes';
import { inspectApplication } from '../inspect/inspect';
import { tryChanges } from '../inspect/try-changes';
import { REPORTERS } from '../report/findings';
import { type Command, onlyFile, subcommand } from './subcommand';

const DOCTOR_HELP = `Loads an application and lists its mistakes, each with a code, file, line and a way to fix it:

  nozomi-parity doctor app.js
  nozomi-parity doctor app.js --reporter github         annotations of a pull request
  nozomi-parity doctor app.js -- --port 80              with arguments of the application

Loads the application as node would, with your environment; its listen() gets a free port. The application may use
Express 4 or 5 or Nozomi, CommonJS, ES modules or TypeScript. If a guard precedes static files, the command sends two GET
requests for one of the files. A warning is a mistake; a note may be intended.

  --reporter <name>         terminal (default), json or github
  --json                    the same as --reporter json
  --ignore <code>           omit findings with this code; may be given several times
  --help

Exit code: 0 without warnings, 1 with warnings, 2 if the application does not start.

Codes (docs/routes-and-doctor.md describes each):

${Object.values(CODES)
  .map(({ code, finds }) => `  ${code.padEnd(32)}${finds}\n`)
  .join('')}`;

export const doctor: Command = subcommand({
  name: 'doctor',
  help: DOCTOR_HELP,
  options: {
    reporter: { type: 'string' },
    json: { type: 'boolean', default: false },
    ignore: { type: 'string', multiple: true, default: [] },
  },
  async run({ values, positionals, behind }) {
    const format = reporterNamed(values.reporter ?? (values.json ? 'json' : 'terminal'));
    const ignored = new Set(values.ignore);
    const codes: readonly string[] = Object.values(CODES).map(({ code }) => code);
    for (const code of ignored)
      if (!codes.includes(code))
        throw new TypeError(`--ignore: expected a code, got "${code}"; --help lists the codes`);

    const file = onlyFile(positionals, 'doctor');
    const order = { file, args: behind, isDoctor: true };
    const inspection = await inspectApplication(order);
    const found = inspection.findings.filter(({ code }) => !ignored.has(code));
    const findings = await tryChanges({ ...inspection, findings: found }, order);
    process.stdout.write(format({ ...inspection, findings }, file));
    return findings.some(({ severity }) => severity === 'warning') ? 1 : 0;
  },
});

function reporterNamed(name: string): (typeof REPORTERS)[keyof typeof REPORTERS] {
  if (!Object.hasOwn(REPORTERS, name))
    throw new TypeError(`--reporter: expected one of ${Object.keys(REPORTERS).join(', ')}, got "${name}"`);
  return REPORTERS[name as keyof typeof REPORTERS];
}
