module.exports = async (ask) => {
  await ask('GET', '/');
  const { text } = await ask('GET', '/enter');
  await ask('POST', '/enter', { form: { user: 'ann', _csrf: /value="(\w+)"/.exec(text)[1] } });
  await ask('GET', '/account');
  await ask('POST', '/cart', { form: { item: 'tea' } });
  await ask('GET', '/about');
  await ask('GET', '/nowhere');
  await ask('GET', '/leave');
};
