// Nozomi as the candidate of the bench. It tells the application which of its changes to show: that in the variable FORK.
const nozomi = require('../../../dist/index.js');

module.exports = Object.assign((...args) => nozomi(...args), nozomi, { planted: process.env.FORK });
