/** `nozomi-parity openapi`: writes an OpenAPI document from the routes of an application, or checks it against traffic. */
import { writeFileSync } from 'node:fs';
import type { Described } from 'nozomi/openapi';
import { readHar } from '../application/traffic';
import { inspectApplication } from '../inspect/inspect';
import { checkTraffic } from '../openapi/check';
import { printable } from '../report/printable';
import { type Command, onlyFile, subcommand } from './subcommand';

const HELP = `Writes OpenAPI 3.1 from the routes of an application, the schemas of validate() of nozomi/extras, and the comments of
handlers. If the application uses openapi() of nozomi/openapi, this is what it serves:

  nozomi-parity openapi app.js                      to standard output
  nozomi-parity openapi app.js -o openapi.json      to a file
  nozomi-parity openapi app.js --har traffic.har    checks it against recorded requests and responses
  nozomi-parity openapi app.js -- --port 80         with arguments of the application

Loads the application as node would, with your environment; its listen() gets a free port. With --har, prints each
successful request that no route describes, or that does not match the schemas, as does its response.

  --title <title>      default: that of openapi() in the application, or API
  --version <version>  of your interface; default: that of openapi() in the application, or 1.0.0
  --origin <origin>    check only the requests to this origin; default: as in nozomi-parity
  --help

Exit code: 0; 1 if recorded traffic does not match; 2 if the application does not start, or nothing was checked.
`;

export const openapi: Command = subcommand({
  name: 'openapi',
  help: HELP,
  options: {
    har: { type: 'string' },
    origin: { type: 'string' },
    output: { type: 'string', short: 'o' },
    title: { type: 'string' },
    version: { type: 'string' },
  },
  async run({ values, positionals, behind }) {
    const file = onlyFile(positionals, 'openapi');
    const { title, version, har, output } = values;
    const info = { ...(title !== undefined && { title }), ...(version !== undefined && { version }) };
    const inspection = await inspectApplication({ file, args: behind, openapi: { info }, isDoctor: false });
    const { document, notes } = inspection.openapi as Described;
    for (const note of notes) console.error(printable(`openapi: ${note}`));
    const text = `${JSON.stringify(document, null, 2)}\n`;
    if (output !== undefined) writeFileSync(output, text);
    else if (har === undefined) process.stdout.write(text);
    if (har === undefined) return 0;
    const { problems, checked } = checkTraffic(document, readHar(har, values.origin).requests);
    for (const problem of problems) console.log(printable(problem));
    console.log(`${checked} requests checked, ${problems.length} problems`);
    if (problems.length > 0) return 1;
    return checked > 0 ? 0 : 2;
  },
});
