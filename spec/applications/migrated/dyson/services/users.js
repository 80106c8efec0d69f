module.exports = [
  {
    path: '/user/:id',
    template: { id: (params) => Number(params.id), name: 'Ada', filter: (_params, query) => query },
  },
  { path: '/users', collection: true, size: 2, template: { name: 'Ada', status: 'OK' } },
  {
    path: '/user',
    method: 'POST',
    status: (_req, res, next) => next(res.status(201)),
    template: { saved: true, body: (_p, _q, body) => body },
  },
  { path: '/fails', status: (_req, res) => res.status(404).send('gone'), template: {} },
];
