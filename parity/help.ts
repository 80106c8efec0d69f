/** What `--help` prints. */
export const HELP = `Plays the same raw HTTP requests to two implementations and explains each difference.

Your application, with Express and with Nozomi in its place; nothing is edited on disk:

  nozomi parity app.js --har traffic.har       what a browser or a proxy has saved
  nozomi parity app.js --requests asked.http   what you have written down:

      GET /users?page=2
      Accept: application/json

      POST /users
      Content-Type: application/json

      {"name":"Ann"}
      ###
      DELETE /users/3

  app.js is a program that calls listen() (it gets a free port), or a module that exports an application,
  a server, or a function that makes one. It is started as node would start it, with your environment.
  Where two runs with Express differ from each other, nothing is expected of Nozomi.

  --origin <origin>    which of the origins in the HAR; default is that of its first request

Scenarios, played to the reference and to this build:

  nozomi parity [options]

  --scenarios <folder> where they are; default parity/scenarios. A file of them exports a list:

      const { get, scenario } = require('nozomi/parity');
      module.exports = [
        scenario({
          name: 'answers hello',
          build({ framework }) {
            return framework().get('/', (_req, res) => res.send('hello'));
          },
          requests: [get('/')],
        }),
      ];

  --section <text>     only sections whose path begins so: 4-response, 4-response/4.5, logger
  --clause <id>        only scenarios that name this clause, or one that begins so: F-4.5-75, L-2
  --grep <text>        only scenarios whose id holds this text
  --worlds <a,b>       the one that is right, the one that is judged; default reference,build
                       (also reference2, the reference once more, or two modules: express+nozomi/logger)
  --concurrency <n>    scenarios at a time
  --show               print what each scenario shows in the first world, and compare nothing
  --list               print the ids of what would be played

Both:

  --reporter <name>    terminal (default), json, junit (XML), or html: one page, written to report/parity.html
  --output <file>      where the report goes; default is standard output
  --help

Exit code: 0 equal, 1 different, 2 could not run.
`;
