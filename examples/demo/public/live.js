// Shows the events of /live/events as they arrive. After the last event, the EventSource connects again. The server
// then responds with 204, which stops it.
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
