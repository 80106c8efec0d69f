// Listens only if the environment variable DATABASE is set.
const app = require('express')();

if (process.env.DATABASE) app.listen(3000);
else console.error('no database');
