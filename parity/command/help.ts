/** The output of `--help`. */
export const HELP = `Plays the same raw HTTP requests to two implementations and explains each difference: status line, order and
spelling of headers, values, framing, body, what becomes of the connection, log lines, standard output and error.

YOUR APPLICATION, with Express and with Nozomi in its place; nothing is edited on disk:

  nozomi parity app.js --har traffic.har            what a browser, a proxy or \`nozomi record\` has saved
  nozomi parity app.js --requests requests.http     what you have written down:

      GET /users?page=2
      Accept: application/json

      POST /users
      Content-Type: application/json

      {"name":"Ann"}
      ###
      DELETE /users/3

  app.js is a program that calls listen() (it gets a free port), or a module that exports an application,
  a server, or a function that makes one. It is started as node would start it, with your environment.

  --origin <origin>     which of the origins in the HAR; default is that of its first request
  --fresh <folder>      the application runs in a copy of this folder, made anew for each run: for an application
                        that writes files
  --runs <n>            what differs is played again, up to n times with each implementation; only what
                        every run shows is reported; default 5
  --patience <ms>       how long to wait for one response; default 8000. Streams without end take all of it
  -- <arguments>        what the application finds in process.argv: nozomi parity app.js --har a.har -- --port 80

SCENARIOS, played to Express and to this package:

  nozomi parity [options]

  --scenarios <folder>  where they are; default parity/scenarios. A file of them exports a list:

      const { get, scenario } = require('nozomi/parity');
      module.exports = [
        scenario({
          name: 'says hello',
          build({ framework }) {
            return framework().get('/', (_req, res) => res.send('hello'));
          },
          requests: [get('/')],
        }),
      ];

  --section <text>      only sections: by path (4-endpoints, 4-endpoints/4.5), number (4.5) or clauses (F-4.5, L)
  --clause <id>         only scenarios that name this clause, or one that begins so: F-4.5-75, L-2
  --concurrency <n>     scenarios at a time; default is the number of processors
  --update              record what the baseline shows as HAR, and compare nothing
  --recordings <folder> where recordings are; default fixtures/exchanges

BOTH:

  --baseline <name>     the implementation that is right; default reference
  --candidate <name>    the implementation that is compared with it; default build. A name is
                          reference       express and morgan as they are installed
                          build           this package
                          express3-reference, express3-build   the 3.x series of both
                          express4-reference, express4-build   the 4.x series of both; an application that has Express 3
                                          or 4 is played to nozomi/3 or nozomi/4 by itself
                          nozomi@5, nozomi@4, nozomi@3   an entry point of this package; --baseline express@4 --candidate nozomi@5
                                          tells what the move to 5 changes, and the lines that keep what 4 does
                          express@4.21.2  any version that is installed, under whatever name (npm install
                                          --save-dev express-4@npm:express@4.21.2); express@4 is the highest
                          ../express, ../nozomi/dist/express4   a path
                          express@5.2+morgan@1.10.0, express+nozomi/logger   framework and logger
                          corpus          what --update has recorded: needs no Express (scenarios only)
                          reference2      Express once more: is every scenario deterministic?
  --only <id>           only what has this id; may be given several times. All requests of an application are
                        played, because one may need what another made; only these are compared
  --grep <text>         only what has this text in its id
  --list                print the ids of what would be compared
  --transport <names>   play the candidate over these, each beside itself over HTTP/1.1 (app.listen): h1, h2 (TLS), h2c
                        (without), fetch; several with commas
  --server <names>      for h1: listen, create (http.createServer), https; several with commas
  --sample <n>          only one of n scenarios
  --show                print what the baseline shows, and compare nothing
  --seed <n|random>     scenarios are played in an order that follows from this number, which is printed; an
                        application draws its random values (ids, tokens) from it, the same in every run
  --divergences <file>  what may differ: a list of { id, differs, why, scenarios: { "<id>": ["1.headers.location"] } };
                        default parity/divergences.js, where there is one
  --reporter <name>     terminal (default), json, junit (XML), github (annotations) or html (one page,
                        report/parity.html); with a file of its own, and more than once:
                        --reporter terminal --reporter junit=report/parity.xml
  --output <file>       where the report goes; default is standard output
  --help

Exit code: 0 equal, 1 different, 2 could not run, or nothing was tested.
`;
