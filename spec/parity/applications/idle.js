// Listens only if it finds its database.
const app = require('express')();

if (process.env.DATABASE) app.listen(3000);
else console.error('no database');
