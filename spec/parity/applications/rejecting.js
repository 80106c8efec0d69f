// Fails after its first turn, before it listens.
setTimeout(() => Promise.reject(new Error('the database is gone')), 50);
setTimeout(() => require('express')().listen(3000), 60_000);
