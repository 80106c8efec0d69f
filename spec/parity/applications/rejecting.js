// Fails after its first turn of the event loop, before it calls listen.
setTimeout(() => Promise.reject(new Error('the database is gone')), 50);
setTimeout(() => require('express')().listen(3000), 60_000);
