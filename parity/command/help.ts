import { GAP_KINDS, GAPS } from '../judge/gap-kinds';

/** The output of `nozomi-parity help` and `nozomi-parity --help`. */
export const OVERVIEW = `Compares an Express application before and after a change of its framework.

  nozomi-parity record app.js -o traffic.har    records requests to the application
  nozomi-parity app.js --har traffic.har        compares it with Express and with Nozomi
  nozomi-parity try app.js                      records, compares and times it in one go
  nozomi-parity routes app.js                   lists its routes
  nozomi-parity doctor app.js                   finds mistakes in it
  nozomi-parity dev app.js                      runs it, restarts it after each change, and shows its mistakes
  nozomi-parity migrate app.js                  moves it from Express 4 to 5
  nozomi-parity openapi app.js                  writes OpenAPI 3.1 from its routes and schemas

  nozomi-parity help compare                    the options of the comparison; also: help record, help routes …
  nozomi-parity help scenarios                  how to compare two implementations with scenarios of your own
  nozomi-parity --version
`;

const INTRODUCTION = `Plays the same raw HTTP requests to two implementations and explains each difference: status line, order and
spelling of headers, values, framing, body, state of the connection, log lines, standard output and standard error.
`;

const APPLICATION = `
YOUR APPLICATION, first with Express and then with Nozomi in its place; no file on disk is changed:

  nozomi-parity app.js --har traffic.har            requests saved by a browser, a proxy or \`nozomi-parity record\`
  nozomi-parity app.js --requests requests.http     requests in a text file:

      GET /users?page=2
      Accept: application/json

      POST /users
      Content-Type: application/json

      {"name":"Ann"}
      ###
      DELETE /users/3

  app.js is a script that calls listen() (it gets a free port), or a module that exports an application,
  a server, or a function that creates one. It is started as node would start it, with your environment.

  --env <name>          the variables of this environment in http-client.env.json, for --requests; or a file that
                        Postman exported
  --origin <origin>     play only the requests to this origin; default: that of the first page, or of most requests
  --hermetic <file>     take the replies of databases and services from this file of nozomi-parity record --outgoing
  --fresh <folder>      run the application in a copy of this folder, a new copy for each run; for an application
                        that writes files
  --runs <n>            if responses differ, run the application up to n times with each implementation, and report
                        the differences that every run shows; default 5
  --time                if all responses are equal, measure the CPU time per request with each implementation
  --coverage            list the routes that no request reached; starts the application once more
  --start <ms>          wait this many milliseconds until the application listens; default 20000
  --patience <ms>       wait this many milliseconds for a response; default 8000. An endless stream takes all of them in
                        the first run, and 2000 in the others
  -- <arguments>        arguments for the application: nozomi-parity app.js --har a.har -- --port 80

  A run that did not compare everything is inconclusive: it names what is missing, and ends with 2. To allow it:

${GAP_KINDS.map((kind) => `  --allow-${kind}`.padEnd(28) + GAPS[kind]).join('\n')}
`;

const SCENARIOS = `
SCENARIOS, played with Express and with Nozomi:

  nozomi-parity [options]

  --scenarios <folder>  the folder of the scenarios; default parity/scenarios. Each file exports a list:

      const { get, scenario } = require('nozomi-parity');
      module.exports = [
        scenario({
          name: 'says hello',
          build({ framework }) {
            return framework().get('/', (_req, res) => res.send('hello'));
          },
          requests: [get('/')],
        }),
      ];

  --section <text>      play these sections only: by path (4-endpoints, 4-endpoints/4.5), number (4.5) or clauses
                        (F-4.5, L)
  --clause <id>         play the scenarios of these clauses only, by id or its beginning: F-4.5-75, L-2
  --concurrency <n>     play n scenarios at a time; default: the number of processors
  --update              record the exchanges of the baseline as HAR, and compare nothing
  --recordings <folder> the folder of the recordings; default fixtures/exchanges
`;

const BOTH = `
BOTH:

  --baseline <name>     the implementation whose behaviour is expected; default reference
  --candidate <name>    the implementation to compare with it; default build. A name is
                          reference       the installed express and morgan
                          build           the Nozomi that this package depends on
                          express3-reference, express3-build   Express 3, and nozomi/3
                          express4-reference, express4-build   Express 4, and nozomi/4. An application of Express 3
                                          or 4 is always compared with nozomi/3 or nozomi/4
                          nozomi@5, nozomi@4, nozomi@3   an entry point of that Nozomi. --baseline express@4
                                          --candidate nozomi@5 lists the changes from 4 to 5, and the lines that keep
                                          the behaviour of 4
                          express@4.21.2  an installed version, under any name (npm install --save-dev
                                          express-4@npm:express@4.21.2); express@4 is the highest
                          ../express, ../nozomi/dist/express4   a path
                          express@5.2+morgan@1.10.0, express+nozomi/logger   framework and logger
                          corpus          the recordings of --update; needs no Express (scenarios only)
                          reference2      Express a second time, to find scenarios that are not deterministic
                          settled         that Nozomi, which cannot load a module while it serves requests
  --only <id>           compare only this id; may be given several times. All requests of an application are played,
                        because one may depend on another
  --grep <text>         compare only ids that contain this text
  --list                print the ids that would be compared
  --transport <names>   play the candidate over these transports, and compare it with itself over HTTP/1.1 (app.listen),
                        or with the recordings (--baseline corpus):
                        h1, h2 (TLS), h2c (without TLS), fetch; several with commas
  --server <names>      servers for h1: listen, create (http.createServer), wrapped (the listener is a
                        function that calls the application), https; several with commas
  --circumstance <names>  play both implementations under these circumstances, such as left-before or frozen-after;
                        several with commas, or all
  --connection own      let Nozomi, as the candidate, read connections without the parser of Node.js; default: node
  --realm vm            load framework, logger and scenarios in a vm context, as Jest does
  --shard <k/n>         play only the kth of every n scenarios, to divide them among n jobs: 1/3, 2/3 and 3/3
  --show                print what the baseline sends and writes, and compare nothing
  --seed <n|random>     play scenarios in random order, and print the seed that repeats it; for an application: make
                        its random values (ids, tokens) the same in every run
  --divergences <file>  the allowed differences: a list of { id, differs, why, scenarios: { "<id>": ["1.headers.location"] } };
                        default parity/divergences.js, if it exists
  --accept <file>       write the differences of an application, and the values that vary, as such a list
  --reporter <name>     terminal (default), json, junit (XML), github (annotations), markdown or html (one page,
                        report/parity.html). May be given several times, each with a file of its own:
                        --reporter terminal --reporter junit=report/parity.xml
  --output <file>       write the report to this file; default: standard output
  --help

Exit code: 0 equal, 1 different, 2 inconclusive: it could not run, or did not compare everything.
`;

const COMMANDS = `
OTHER COMMANDS, each with --help:

  nozomi-parity try       records your application, compares it, measures the CPU time, and lists routes without requests
  nozomi-parity record    starts your application and records its requests and responses
  nozomi-parity migrate   rewrites an application of Express 4 for Express 5, and compares it before and after
  nozomi-parity routes    prints the routes and the middleware of your application in the order in which they run
  nozomi-parity doctor    lists mistakes in your application, each with file, line and a way to fix it
`;

/** All options; the output of `nozomi-parity help all`. */
export const HELP: string = INTRODUCTION + APPLICATION + SCENARIOS + BOTH + COMMANDS;

/** The outputs of `nozomi-parity help compare` and `help scenarios`. */
export const TOPICS: Readonly<Record<string, string>> = {
  compare: INTRODUCTION + APPLICATION + BOTH,
  scenarios: INTRODUCTION + SCENARIOS + BOTH,
  all: HELP,
};
