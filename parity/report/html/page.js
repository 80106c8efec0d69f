const form = document.querySelector('.filters');
const all = [...document.querySelectorAll('main > section[data-section] > details')];
const buttons = [...form.querySelectorAll('[data-state]')];
const texts = new Map(all.map((one) => [one, `${one.id} ${one.textContent}`.toLowerCase()]));
const empty = document.getElementById('empty');

function filter() {
  const text = form.text.value.trim().toLowerCase();
  const states = buttons
    .filter((one) => one.getAttribute('aria-pressed') === 'true')
    .map((one) => one.dataset.state);
  let shown = 0;
  for (const one of all) {
    const section = one.parentElement.dataset.section;
    one.hidden = !(
      (states.length === 0 || states.includes(one.dataset.state)) &&
      (form.section.value === '' || form.section.value === section) &&
      (text === '' || section.toLowerCase().includes(text) || texts.get(one).includes(text))
    );
    if (!one.hidden) shown++;
  }
  for (const section of document.querySelectorAll('section[data-section]'))
    section.hidden = !section.querySelector('details:not([hidden])');
  form.querySelector('output').value = `${shown} of ${all.length}`;
  empty.hidden = shown > 0;
}

/** Scrolls to the next (1) or previous (-1) shown scenario that is different or broken. */
function step(by) {
  const bad = all.filter((one) => !one.hidden && /different|broken/.test(one.dataset.state));
  const at = bad.indexOf(document.activeElement.closest('details'));
  const next = bad[at < 0 && by < 0 ? bad.length - 1 : (at + by + bad.length) % bad.length];
  if (!next) return;
  next.open = true;
  next.querySelector('summary').focus();
  next.scrollIntoView();
}

function reset() {
  form.reset();
  for (const one of buttons) one.setAttribute('aria-pressed', 'false');
  filter();
}

/** Scrolls to the element in the hash of the address, and opens a scenario. If a filter hides it, resets all filters. */
function follow() {
  const target =
    document.getElementById(decodeURIComponent(location.hash.slice(1))) ||
    document.getElementById(location.hash.slice(1));
  if (!target) return;
  if (target.hidden || target.closest('[hidden]')) reset();
  if (target.tagName === 'DETAILS') target.open = true;
  target.scrollIntoView();
}

/** Filters the scenarios, and scrolls to the first result if it is out of view or behind the sticky filters. */
function search() {
  filter();
  const first = all.find((one) => !one.hidden) ?? empty;
  const { top } = first.getBoundingClientRect();
  if (top < form.getBoundingClientRect().bottom || top > innerHeight / 2) first.scrollIntoView();
}

form.addEventListener('input', search);
form.addEventListener('submit', (event) => event.preventDefault());
document.addEventListener('click', (event) => {
  // A link to the current address does not fire `hashchange`.
  if (event.target.closest('a')?.hash === location.hash) follow();
  const button = event.target.closest('button');
  if (!button) return;
  if (button.dataset.state)
    button.setAttribute('aria-pressed', String(button.getAttribute('aria-pressed') !== 'true'));
  if ('reset' in button.dataset) return reset();
  search();
});
document.addEventListener('keydown', (event) => {
  const typing = /INPUT|SELECT/.test(document.activeElement.tagName);
  if (event.key === '/' && !typing) {
    event.preventDefault();
    form.text.focus();
  }
  if (/^[np]$/.test(event.key) && !typing && !event.ctrlKey && !event.metaKey)
    step(event.key === 'n' ? 1 : -1);
  if (event.key === 'Escape' && document.activeElement === form.text) reset();
});
addEventListener('hashchange', follow);
const sections = document.querySelector('.sections');
if (sections && matchMedia('(max-width: 40rem)').matches) sections.open = false;
filter();
follow();
