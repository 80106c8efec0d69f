// Holds implementations of the interface of Express 5 against what Express was seen to do:
//
//   npm install nozomi-corpus express morgan ultimate-express @tinyhttp/app milliparsec
//   node score.js
//
// Within this checkout: npm run corpus && node examples/corpus/score.js. What is not installed is left out.
const { join } = require('node:path');
const logger = require('morgan');

/** What a scenario asks of a framework: a function that makes an application, with the members of `express`. */
const FRAMEWORKS = {
  express: async () => ({ framework: require('express') }),
  'ultimate-express': async () => ({ framework: require('ultimate-express'), identity: 'UltimateExpress' }),
  '@tinyhttp/app': async () => {
    const { App } = await import('@tinyhttp/app');
    const parsers = await import('milliparsec');
    const framework = Object.assign(() => new App(), { Router: () => new App(), ...parsers });
    return { framework, identity: 'tinyhttp' };
  },
};

async function main() {
  const { score } = load('nozomi-corpus') ?? load(join(__dirname, '..', '..', 'report', 'corpus'));
  for (const [name, make] of Object.entries(FRAMEWORKS)) {
    try {
      const { equal, played } = await score({ ...(await make()), logger, patience: 300 });
      console.log(`${name.padEnd(18)} ${equal} of ${played} scenarios`);
    } catch (error) {
      console.log(`${name.padEnd(18)} left out: ${error.message.split('\n', 1)}`);
    }
  }
}

function load(name) {
  try {
    return require(name);
  } catch {}
}

main().then(() => process.exit());
