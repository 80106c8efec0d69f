// Holds an implementation of the interface of Express 5 against what Express was seen to do:
//
//   npm install nozomi-corpus express morgan
//   node score.js
//
// Within this checkout: npm run corpus && node examples/corpus/score.js
const { join } = require('node:path');
const logger = require('morgan');

/** Functions that make an application, with the members of `express`. Another implementation is one more entry. */
const FRAMEWORKS = { express: require('express') };

async function main() {
  const { score } = load('nozomi-corpus') ?? load(join(__dirname, '..', '..', 'report', 'corpus'));
  for (const [name, framework] of Object.entries(FRAMEWORKS)) {
    const { equal, played } = await score({ framework, logger, patience: 300 });
    console.log(`${name.padEnd(18)} ${equal} of ${played} scenarios`);
  }
}

function load(name) {
  try {
    return require(name);
  } catch {}
}

main().then(() => process.exit());
