const Interfake = require('./package/');

const interfake = new Interfake({ path: '/api' });
interfake
  .get('/items')
  .status(200)
  .body([{ name: 'one' }]);
interfake
  .get('/items')
  .query({ page: 2 })
  .body([{ name: 'two' }]);
interfake
  .post('/items')
  .status(201)
  .responseHeaders({ 'X-Made': 'yes' })
  .body({ made: true })
  .creates.get('/items/1')
  .body({ id: 1 });
interfake.post('/echo').echo();
interfake.listen(3000);
