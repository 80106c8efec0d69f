module.exports = async (ask) => {
  const page = await ask('GET', '/static/page.html');
  await ask('GET', '/static/page.html', { headers: { 'If-None-Match': page.headers.get('ETag') } });
  await ask('GET', '/static/page.html', { headers: { Range: 'bytes=2-9' } });
  await ask('GET', '/static/table.csv');
  await ask('GET', '/private/report');
  await ask('GET', '/raw');
  await ask('GET', '/long', { headers: { 'Accept-Encoding': 'gzip' } });
  await ask('GET', '/moved');
  const form = (text) => {
    const data = new FormData();
    data.append('note', 'hello');
    data.append('file', new Blob([text], { type: 'text/plain' }), 'a.txt');
    return data;
  };
  await ask('POST', '/upload', { body: form('some text') });
  await ask('POST', '/upload', { body: form('x'.repeat(3000)) });
};
