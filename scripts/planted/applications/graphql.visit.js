module.exports = async (ask) => {
  const query = (text, variables, headers) =>
    ask('POST', '/graphql', { json: { query: text, ...(variables && { variables }) }, headers });
  await ask('GET', '/graphql');
  const { data } = await query('{ start { ticket } }');
  await ask('POST', '/graphql?reader', {
    json: { query: '{ reader { name since } }', operationName: null },
    headers: { 'X-Ticket': data.data.start.ticket },
  });
  await ask('POST', '/graphql?nobody', { json: { query: '{ reader { name } }', extensions: {} } });
  await ask('POST', '/graphql?book', {
    json: { query: 'query ($id: ID) { book(id: $id) { title pages } }', variables: { id: 'b1' } },
  });
  await ask('POST', '/graphql?missing', {
    json: { query: 'query ($id: ID) { book(id: $id) { title } }', variables: { id: 'b9' }, extensions: {} },
  });
  const added = await ask('POST', '/graphql?add', {
    json: { query: 'mutation { addBook { id title } }', variables: { title: 'Emma' } },
  });
  await ask('POST', '/graphql?added', {
    json: {
      query: '{ book(id: $id) { title } }',
      variables: { id: added.data.data.addBook.id },
      operationName: 'Added',
    },
  });
  await ask('POST', '/graphql?books', { json: { query: '{ books { title } }', extensions: null } });
  await ask('POST', '/graphql?wrong', { json: { query: '{ wrong }' } });
};
