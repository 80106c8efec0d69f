const serve = require('./package/');

const source = {
  '/users': { get: [{ id: 1, name: 'ann' }], post: { id: 2 } },
  '/users/:id': { get: { id: 1, name: 'ann' }, put: { id: 1 }, delete: {} },
};
serve(source, 3000, '127.0.0.1').start();
