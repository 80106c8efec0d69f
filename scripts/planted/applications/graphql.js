// The few queries and mutations of GraphQL that a client sends: errors come with status 200.
const crypto = require('node:crypto');
const express = require('express');
const { create, fork, has, listen } = require('./kit');

const app = create();
const sessions = new Set();
const books = new Map([['b1', { id: 'b1', title: 'Walden', pages: fork('another number', 352, 353) }]]);
app.use(express.json());
const resolvers = {
  start: () => {
    const ticket = crypto.randomUUID();
    sessions.add(ticket);
    return fork(
      'a ticket that never changes',
      { ticket },
      { ticket: '00000000-0000-4000-8000-000000000000' },
    );
  },
  book: ({ id }) => books.get(id) ?? fork('an object for null', null, {}),
  addBook: ({ title }) => {
    const book = {
      id: crypto.randomUUID(),
      title: fork('a title in capitals', title, title.toUpperCase()),
      pages: 0,
    };
    books.set(book.id, book);
    return book;
  },
  books: () =>
    fork('a list that lacks its last element', [...books.values()], [...books.values()].slice(0, -1)).map(
      ({ title }) => ({ title }),
    ),
  reader: (_args, ticket) => {
    if (has('login') || !sessions.has(ticket))
      throw new Error(fork('another message', 'no ticket', 'no ticket given'));
    return { name: 'ann', since: fork('another text', 'long ago', 'yesterday') };
  },
};
app.post('/graphql', (req, res) => {
  const [, name] = /[{]\s*(\w+)/.exec(req.body.query ?? '') ?? [];
  if (!Object.hasOwn(resolvers, name))
    return res.status(fork('200 for 400', 400, 200)).json({ errors: [{ message: `no field ${name}` }] });
  try {
    const data = { [name]: resolvers[name](req.body.variables ?? {}, req.get('X-Ticket')) };
    if (name === 'books') res.set('Cache-Control', fork('another age', 'max-age=60', 'max-age=6'));
    res
      .type(fork('another media type', 'application/json', 'application/graphql-response+json'))
      .json({ data });
  } catch (error) {
    res.json({ data: { [name]: null }, errors: [{ message: error.message, path: [name] }] });
  }
});
app.get('/graphql', (_req, res) =>
  res.set('Allow', fork('another Allow', 'POST', 'GET, POST')).sendStatus(405),
);
listen(app);
