const books = [
  { ID: 1, title: 'On trains', stock: 3 },
  { ID: 2, title: 'On boats', stock: 0 },
];

module.exports = (srv) => {
  srv.on('READ', 'Books', (req) => {
    const [{ ID } = {}] = req.params.map((one) => (typeof one === 'object' ? one : { ID: one }));
    return ID === undefined ? books : (books.find((one) => one.ID === ID) ?? null);
  });
  srv.on('CREATE', 'Books', (req) => req.data);
  srv.on('DELETE', 'Books', () => undefined);
  srv.on('order', (req) => {
    const book = books.find(({ ID }) => ID === req.data.book) ?? req.reject(404, 'no such book');
    return book.stock < req.data.amount ? req.reject(409, 'out of stock') : book.stock - req.data.amount;
  });
  srv.on('hello', (req) => `Hello ${req.data.to}`);
};
