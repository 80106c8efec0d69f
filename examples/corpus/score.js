// Compares implementations of Express 5 with the recorded behaviour of Express itself, section by section:
//
//   npm install nozomi-corpus express morgan @tinyhttp/app milliparsec sirv ultimate-express
//   node score.js                          or only one implementation: node score.js express
//
// In this repository, run: npm run generate -- corpus && node examples/corpus/score.js. Implementations that are not installed are
// skipped. ultimate-express needs uWebSockets.js from GitHub; fixtures/README.md explains how to replace it.
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const made = join(__dirname, '..', '..', 'report', 'corpus');
const common = () => ({ logger: require('morgan'), patience: 2000 });

/**
 * The options of the player for each implementation. `framework` replaces `express`, `identity` is its `X-Powered-By`
 * (default `Express`), and `listen` starts applications that are not functions. `patience` is in milliseconds.
 */
module.exports = {
  express: async () => ({ ...common(), framework: require('express') }),
  '@tinyhttp/app': async () => {
    const [{ App }, { default: serve }] = [await import('@tinyhttp/app'), await import('sirv')];
    const members = { ...(await import('milliparsec')), static: serve, Router: () => new App() };
    const framework = Object.assign(() => new App(), members);
    return { ...common(), framework, identity: 'tinyhttp', listen };
  },
  'ultimate-express': async () => {
    const framework = require('ultimate-express');
    return { ...common(), framework, identity: 'UltimateExpress', listen };
  },
};

async function listen(app) {
  const server = await new Promise((resolve) => {
    const listening = app.listen(0, () => setImmediate(() => resolve(listening)));
  });
  return { port: server.address().port, close: () => server.close() };
}

async function main(names) {
  const { scoreApart, totalOf } = require(existsSync(made) ? made : 'nozomi-corpus');
  for (const name of names.length > 0 ? names : Object.keys(module.exports)) {
    try {
      const scores = [];
      for await (const score of scoreApart(__filename, name)) {
        scores.push(score);
        print(name, score);
      }
      print(name, { section: 'in all', ended: true, ...totalOf(scores) });
    } catch (error) {
      console.log(`${name}: skipped: ${error.message}`);
    }
  }
}

function print(name, { section, ended, equal, played, equalResponses, responses }) {
  const score = `${equal} of ${played} scenarios, ${equalResponses} of ${responses} responses`;
  console.log(`${name.padEnd(18)} ${section.padEnd(36)} ${score}${ended ? '' : ' (did not end)'}`);
}

if (require.main === module) main(process.argv.slice(2));
