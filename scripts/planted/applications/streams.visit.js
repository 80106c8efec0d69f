module.exports = async (ask, origin) => {
  const aborted = new AbortController();
  const events = await fetch(`${origin}/events`, { signal: aborted.signal });
  await events.body.getReader().read();
  aborted.abort();
  for (const path of ['/ended', '/lines', '/whole', '/trailers', '/closed', '/printed', '/early'])
    await ask('GET', path);
};
