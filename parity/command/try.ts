/** `nozomi-parity try`: records an application, compares it, and measures it, without a change to the application. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../temporary-folder';
import { parity } from './command';
import { forwarded } from './options';
import { recordApplication } from './record';
import { type Command, onlyFile, subcommand } from './subcommand';

const TRY_HELP = `Shows what Nozomi would change in your application, without installing anything into it:

  npx nozomi-parity try app.js                             starts it and records it until you press Ctrl+C
  npx nozomi-parity try app.js --har traffic.har           plays recorded requests, or those of --requests
  npx nozomi-parity try app.js -- --port 80                with arguments of the application

Then it plays the requests with Express and with Nozomi, lists the differences and the routes without a request and, if
all responses are equal, measures the CPU time per request. The recording is removed at the end.

  --har <file>, --requests <file>, --env <name>, --origin <origin>, --patience <ms>, --start <ms>, --allow-…   as in nozomi-parity
  -h, --help

Exit code: 0 equal, 1 different, 2 inconclusive: it could not run, or did not compare everything.
`;

const FOR_PARITY = forwarded(['har', 'requests', 'env', 'origin', 'patience', 'start']);

export const tryCommand: Command = subcommand({
  name: 'try',
  help: TRY_HELP,
  options: FOR_PARITY.options,
  async run({ values, positionals, behind }) {
    const file = onlyFile(positionals, 'try');
    const given = FOR_PARITY.argsOf(values);
    const end = behind.length > 0 ? ['--', ...behind] : [];
    if (!given.includes('--har') && !given.includes('--requests')) {
      const har = join(temporaryFolder('try'), 'traffic.har');
      console.error('recording: use the application, then press Ctrl+C');
      await recordApplication(file, { file: har, keepSecrets: true, isTemporary: true }, behind);
      if (!existsSync(har)) throw new TypeError('nothing was recorded');
      given.push('--har', har);
    }
    return parity([file, ...given, '--time', '--coverage', ...end]);
  },
});
