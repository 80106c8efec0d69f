/** How the page looks, and what it does when it is filtered. */

export const STYLE = `
:root { color-scheme: light dark;
  --paper: light-dark(#fbfaf8, #16181b); --card: light-dark(#fff, #1e2125); --ink: light-dark(#1d1f23, #e6e4df);
  --soft: light-dark(#63666d, #9a9da3); --line: light-dark(#e4e1da, #32363c); --link: light-dark(#1750a8, #8ab8ff);
  --equal: light-dark(#2c7a4b, #63c78d); --declared: light-dark(#8a6100, #e0b04a);
  --different: light-dark(#b3261e, #ff8a80); --broken: light-dark(#7a2fa0, #d39bf0);
  --was: light-dark(#fdeceb, #3a2023); --is: light-dark(#e8f5ec, #1b3325); --code: light-dark(#f3f1ec, #26292e); }
* { box-sizing: border-box; }
html { scroll-padding-top: 7rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
header, main { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2.5rem; }
.eyebrow { margin: 0; color: var(--soft); font-size: .8rem; letter-spacing: .12em; text-transform: uppercase; }
h1 { margin: .1rem 0 .4rem; font-size: clamp(1.7rem, 5vw, 2.6rem); line-height: 1.15; letter-spacing: -.02em; }
h1.good { color: var(--equal); } h1.bad { color: var(--different); }
.worlds { display: flex; flex-wrap: wrap; gap: .2rem .7rem; margin: 0; overflow-wrap: anywhere; } .against, .sum { color: var(--soft); }
.sum { margin: .2rem 0 1.8rem; font-size: .92rem; }
a { color: var(--link); } code, pre, .diff, dd { font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { background: var(--code); padding: .1em .35em; border-radius: 4px; overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 4px; }
.contents { display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; margin: -1rem 0 1.6rem; font-size: .92rem; } .contents .first { color: var(--different); font-weight: 600; }
.sections { background: none; border: 0; margin: 0 0 1.2rem; content-visibility: visible; } .sections > summary { padding: .2rem 0 .5rem; justify-content: flex-start; } .sections > .totals { margin: 0; }
.sections h2 { margin: 0; font-size: .95rem; } .sections > summary::before, section > details > summary::before { content: "▸"; color: var(--soft); font-size: .75rem; align-self: center; } .sections[open] > summary::before, section > details[open] > summary::before { content: "▾"; }
.totals { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); gap: .1rem 1.6rem; margin-bottom: 1.5rem; }
.totals a { display: grid; grid-template-columns: 1fr auto; column-gap: 1rem; align-items: end; align-content: end; padding: .3rem 0; color: inherit; text-decoration: none; font-size: .88rem; }
.totals a:hover span:first-child { text-decoration: underline; }
.count { color: var(--soft); } .bar { grid-row: 2; grid-column: 1 / 3; display: flex; gap: 2px; height: 4px; margin-top: .2rem; }
.bar i { border-radius: 2px; background: var(--equal); } .bar i.declared { background: var(--declared); }
.bar i.different { background: var(--different); } .bar i.broken { background: var(--broken); }
.filters { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; padding: .7rem 0; background: var(--paper); border-bottom: 1px solid var(--line); }
.filters input { flex: 1 1 14rem; } .filters output { color: var(--soft); font-size: .88rem; }
.filters input, .filters select, button { font: inherit; font-size: .9rem; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .4rem .65rem; min-height: 2.4rem; }
.filters select { max-width: 100%; } .states { display: flex; flex-wrap: wrap; gap: .35rem; } button { cursor: pointer; }
button[aria-pressed=true] { background: var(--ink); color: var(--paper); border-color: var(--ink); } button:disabled { opacity: .45; cursor: default; }
h2 { margin: 2.2rem 0 .5rem; font-size: 1.15rem; } .anchor { color: var(--soft); font-weight: 400; font-size: .85rem; text-decoration: none; }
details { background: var(--card); border: 1px solid var(--line); border-radius: 10px; margin: .35rem 0; content-visibility: auto; contain-intrinsic-size: auto 2.8rem; }
details > :not(summary) { margin-left: .9rem; margin-right: .9rem; }
summary { display: flex; gap: .7rem; align-items: baseline; padding: .55rem .9rem; cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; } .name { flex: 1; min-width: 0; overflow-wrap: anywhere; } .meta { color: var(--soft); font-size: .82rem; white-space: nowrap; }
.state { flex: none; width: 5.2rem; font-size: .8rem; font-weight: 600; } .state::before { content: "✓ "; }
.equal { color: var(--equal); } .declared { color: var(--declared); } .different { color: var(--different); } .broken { color: var(--broken); }
.state.declared::before { content: "≈ "; } .state.different::before { content: "✗ "; } .state.broken::before { content: "! "; }
.bar i { color: transparent; }
.clauses { margin-top: 0; padding: 0; list-style: none; font-size: .88rem; color: var(--soft); } .clauses li { margin: .2rem 0; } .anchors { margin-block: .3rem; } h3 { font-size: .95rem; margin: 1.2rem 0 .4rem; font-weight: 600; }
pre { margin-block: 0 .5rem; padding: .6rem .8rem; white-space: pre-wrap; overflow-wrap: anywhere; background: var(--code); border-radius: 8px; }
pre.asked { background: none; border: 1px dashed var(--line); } pre.problem, p.problem { color: var(--broken); }
.places { padding: 0; list-style: none; } .places li { border-left: 3px solid var(--declared); padding: .1rem 0 .1rem .8rem; margin: .6rem 0; } .places li.undeclared { border-color: var(--different); }
dl { display: grid; grid-template-columns: fit-content(9rem) 1fr; gap: .1rem .8rem; margin: .3rem 0; } dt { overflow-wrap: anywhere; color: var(--soft); font-size: .85rem; } dd { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.places p { margin: .2rem 0; } .absent { color: var(--soft); }
.diff { width: calc(100% - 1.8rem); table-layout: fixed; border-collapse: collapse; margin-block: 0 .5rem; background: var(--code); border-radius: 8px; overflow: hidden; }
.diff th { text-align: left; padding: .35rem .6rem; font: 600 .85rem/1.4 system-ui, sans-serif; color: var(--soft); border-bottom: 1px solid var(--line); } .diff th + th { border-left: 1px solid var(--line); }
.diff td { padding: .05rem .6rem; vertical-align: top; white-space: pre-wrap; overflow-wrap: anywhere; height: 1.5em; } .diff td + td { border-left: 1px solid var(--line); }
.was { background: var(--was); } .is { background: var(--is); } mark { color: inherit; border-radius: 3px; background: light-dark(#f6b5b0, #7c3038); } .is mark { background: light-dark(#a5dcb8, #2a6b43); }
.divergences article { border-top: 1px solid var(--line); padding: .3rem 0 .8rem; } .divergences p { margin: .2rem 0; max-width: 70ch; } .why { color: var(--soft); } .divergences ul { margin: .3rem 0; }
.performance figure { margin: 1rem 0; overflow-x: auto; } .performance svg { min-width: 42rem; max-width: 60rem; height: auto; }
main { padding-bottom: 5rem; } :target { outline: 2px solid var(--link); outline-offset: 3px; }
@media (max-width: 40rem) {
  html { scroll-padding-top: 1rem; } .filters { position: static; } summary { flex-wrap: wrap; gap: .1rem .7rem; } .name { flex-basis: 100%; order: 3; } .meta { margin-left: auto; }
  .filters input, .filters select { flex: 1 1 100%; } details > :not(summary) { margin-left: .6rem; margin-right: .6rem; } dl { grid-template-columns: 1fr; } dt { margin-top: .2rem; }
  .diff { width: calc(100% - 1.2rem); } .diff, .diff thead, .diff tbody, .diff tr, .diff td, .diff th { display: block; }
  .diff td, .diff th { position: relative; height: auto; padding-left: 1.4rem; } .diff td + td, .diff th + th { border-left: 0; } .diff .same td + td, .diff .none { display: none; } .diff td:empty { min-height: 1.5em; }
  .diff .was::before, .diff .is::before, .diff th::before { position: absolute; left: .5rem; content: "−"; } .diff .is::before, .diff th + th::before { content: "+"; } .diff th:first-child { border-bottom: 0; padding-bottom: 0; }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media print { .filters, .anchor { display: none; } }
`;

export const SCRIPT = `
const form = document.querySelector('.filters');
const all = [...document.querySelectorAll('main > section[data-section] > details')];
const buttons = [...form.querySelectorAll('[data-state]')];
const texts = new Map(all.map((one) => [one, (one.id + ' ' + one.textContent).toLowerCase()]));
const empty = document.getElementById('empty');

function filter() {
  const text = form.text.value.trim().toLowerCase();
  const states = buttons.filter((one) => one.getAttribute('aria-pressed') === 'true').map((one) => one.dataset.state);
  let shown = 0;
  for (const one of all) {
    const section = one.parentElement.dataset.section;
    one.hidden = !((states.length === 0 || states.includes(one.dataset.state)) &&
      (form.section.value === '' || form.section.value === section) &&
      (text === '' || section.toLowerCase().includes(text) || texts.get(one).includes(text)));
    if (!one.hidden) shown++;
  }
  for (const section of document.querySelectorAll('section[data-section]')) section.hidden = !section.querySelector('details:not([hidden])');
  form.querySelector('output').value = shown + ' of ' + all.length;
  empty.hidden = shown > 0;
}

/** Goes to the next scenario that differs, or to the one before. */
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

/** A link to a scenario opens it, whatever is filtered. */
function follow() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1))) || document.getElementById(location.hash.slice(1));
  if (!target) return;
  if (target.hidden || target.closest('[hidden]')) reset();
  if (target.tagName === 'DETAILS') target.open = true;
  target.scrollIntoView();
}

form.addEventListener('input', filter);
form.addEventListener('submit', (event) => event.preventDefault());
document.addEventListener('click', (event) => {
  // A link to where the address points already changes no hash.
  if (event.target.closest('a')?.hash === location.hash) follow();
  const button = event.target.closest('button');
  if (!button) return;
  if (button.dataset.state) button.setAttribute('aria-pressed', String(button.getAttribute('aria-pressed') !== 'true'));
  if ('reset' in button.dataset) return reset();
  filter();
});
document.addEventListener('keydown', (event) => {
  const typing = /INPUT|SELECT/.test(document.activeElement.tagName);
  if (event.key === '/' && !typing) {
    event.preventDefault();
    form.text.focus();
  }
  if (/^[np]$/.test(event.key) && !typing && !event.ctrlKey && !event.metaKey) step(event.key === 'n' ? 1 : -1);
  if (event.key === 'Escape' && document.activeElement === form.text) reset();
});
addEventListener('hashchange', follow);
if (matchMedia('(max-width: 40rem)').matches) document.querySelector('.sections').open = false;
filter();
follow();
`;
