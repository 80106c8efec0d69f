// The application of served.js on a Unix socket, or on ::1.
const { PLACE } = process.env;
const app = require('./served');

if (PLACE.startsWith('/')) app.listen(PLACE);
else app.listen(0, PLACE);
