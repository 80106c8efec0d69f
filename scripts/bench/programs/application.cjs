// Serves a workload with `require('express')`, as an application for `nozomi-parity`. Argument: the workload as JSON.
const work = JSON.parse(process.argv[2]);
require('./express.cjs')({ framework: require('express'), logger: 'morgan' }, { work, log: process.stdout });
