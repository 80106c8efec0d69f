/** `nozomi doctor`: what is wrong in an application, from the tree of its routes and from what it loads. */
import { CODES } from '../inspect/findings/codes';
import { inspectApplication } from '../inspect/inspect';
import { REPORTERS } from '../inspect/report';
import { type Command, onlyFile, subcommand } from './subcommand';

const DOCTOR_HELP = `Loads an application and says what is wrong in it, each with a code, file, line and a way to fix it:

  nozomi doctor app.js
  nozomi doctor app.js --reporter github         annotations of a pull request
  nozomi doctor app.js -- --port 80              with arguments of the application

The application is loaded as node would load it, with your environment; its listen() gets a free port. Applications of
Express 4 and 5 and of Nozomi, CommonJS, ES modules and TypeScript. Where a guard stands in front of static files, the
application is sent two GET requests for one of them. A warning is proved; a note may be meant as it is.

  --reporter <name>         terminal (default), json or github
  --json                    the same as --reporter json
  --ignore <code>           leaves findings with this code out; may be given several times
  --help

Exit code: 0 without warnings, 1 with one, 2 where the application does not start.

Codes (docs/routes-and-doctor.md has more of each):

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
        throw new TypeError(`--ignore: wanted a code, got "${code}"; --help lists them`);

    const file = onlyFile(positionals, 'doctor');
    const inspection = await inspectApplication({ file, args: behind, isDoctor: true });
    const findings = inspection.findings.filter(({ code }) => !ignored.has(code));
    process.stdout.write(format({ ...inspection, findings }, file));
    return findings.some(({ severity }) => severity === 'warning') ? 1 : 0;
  },
});

function reporterNamed(name: string): (typeof REPORTERS)[keyof typeof REPORTERS] {
  if (!Object.hasOwn(REPORTERS, name))
    throw new TypeError(`--reporter: wanted one of ${Object.keys(REPORTERS).join(', ')}, got "${name}"`);
  return REPORTERS[name as keyof typeof REPORTERS];
}
