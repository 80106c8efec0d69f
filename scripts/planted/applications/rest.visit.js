module.exports = async (ask) => {
  await ask('GET', '/api/notes');
  const { data } = await ask('POST', '/api/devices', { json: { device: 'kitchen' } });
  const headers = { Authorization: `Bearer ${data.token}` };
  const { data: note } = await ask('POST', '/api/notes', { json: { text: 'milk', tags: [1] }, headers });
  await ask('POST', '/api/notes', { json: { tags: [] }, headers });
  await ask('POST', '/api/notes', {
    body: '{"text":',
    headers: { ...headers, 'Content-Type': 'application/json' },
  });
  await ask('GET', '/api/notes', { headers });
  await ask('GET', `/api/notes/${note.id}`, { headers });
  await ask('PUT', `/api/notes/${note.id}`, { json: { done: true }, headers });
  await ask('DELETE', `/api/notes/${note.id}`, { headers });
  await ask('GET', `/api/notes/${note.id}`, { headers });
};
