// Shows the calls of /live/events as they come. The server ends the stream and then answers 204, which stops the source.
const calls = document.getElementById('calls');
const state = document.getElementById('calls-state');
const source = new EventSource(calls.dataset.source);

source.addEventListener('call', (event) => {
  const { line, code, en, ja } = JSON.parse(event.data);
  const item = document.createElement('li');
  const badge = Object.assign(document.createElement('span'), {
    className: `badge line-${line}`,
    textContent: code,
  });
  const japanese = Object.assign(document.createElement('span'), {
    lang: 'ja',
    className: 'calls-ja',
    textContent: ja,
  });
  badge.setAttribute('aria-hidden', 'true');
  item.append(badge, en, japanese);
  calls.append(item);
});

source.addEventListener('error', () => {
  if (source.readyState === EventSource.CLOSED) state.textContent = 'That was all. Please mind the gap.';
});
