// Leaves a rejection unhandled before it calls listen.
setTimeout(() => Promise.reject(new Error('the database is gone')), 50);
setTimeout(() => require('express')().listen(3000), 60_000);
