import { readIndex, search } from '../search';

// TypeDoc's navigation has links inside `<summary>`, which is a button and must not contain links. This script moves them
// into the list below the summary.
new MutationObserver(() => {
  for (const link of document.querySelectorAll('#tsd-nav-container summary > a[href]')) {
    const label = document.createElement('span');
    label.append(...link.childNodes);
    const item = document.createElement('li');
    link.textContent = 'Overview';
    link.setAttribute('aria-label', `${label.textContent.trim()}: overview`);
    link.replaceWith(label);
    item.append(link);
    label.closest('details').querySelector('ul').prepend(item);
  }
}).observe(document.documentElement, { childList: true, subtree: true });

// The search, in place of that of TypeDoc, which only knows names. The elements are copied to lose its listeners; it still
// opens the dialog.
const [field, list, status] = ['input', 'results', 'status'].map((name) => {
  const old = document.getElementById(`tsd-search-${name}`);
  const copy = old.cloneNode(false);
  old.replaceWith(copy);
  return copy;
});
const base = document.documentElement.dataset.base.replace(/\/?$/, '/');
let index;

function loadIndex() {
  if (index !== undefined) return;
  index = null;
  status.textContent = 'Loading the index…';
  const script = document.createElement('script');
  script.src = `${base}assets/search-index.js`;
  script.onload = () => {
    index = readIndex(window.searchIndex);
    show();
  };
  script.onerror = () => {
    status.textContent = 'The index could not be loaded.';
  };
  document.head.append(script);
}

function show() {
  if (!index) return;
  const query = field.value.trim();
  const found = query ? search(index, query).slice(0, 10) : [];
  list.replaceChildren(...found.map(optionOf));
  status.textContent = query && found.length === 0 ? `No page contains “${query}”.` : '';
  select(undefined);
}

/** The part of the text around the first word of the query. */
function excerptOf(text, words) {
  const lower = text.toLowerCase();
  const at = Math.max(
    0,
    Math.min(...words.map((word) => lower.indexOf(word)).filter((found) => found >= 0), Infinity),
  );
  const from = Number.isFinite(at) ? Math.max(0, text.lastIndexOf(' ', Math.max(0, at - 40))) : 0;
  return `${from > 0 ? '…' : ''}${text.slice(from, from + 140).trim()}${text.length > from + 140 ? '…' : ''}`;
}

function optionOf({ page, anchor, title, heading, excerpt, series, queryTerms }, at) {
  const text = document.createElement('span');
  text.className = 'text';
  text.textContent = title;
  if (heading !== title) {
    const part = document.createElement('span');
    part.className = 'parent';
    part.textContent = ` › ${heading}`;
    text.append(part);
  }
  const mark = document.createElement('span');
  mark.className = 'series';
  mark.textContent = series;
  const about = document.createElement('span');
  about.className = 'excerpt';
  about.textContent = excerptOf(excerpt, queryTerms ?? []);
  const link = document.createElement('a');
  link.tabIndex = -1;
  link.href = `${base}${encodeURI(page)}${anchor && `#${anchor}`}`;
  link.id = `search-option-${at}`;
  link.role = 'option';
  link.append(text, mark, about);
  const item = document.createElement('li');
  item.role = 'none';
  item.append(link);
  return item;
}

function select(item) {
  for (const other of list.children) other.firstElementChild.ariaSelected = String(other === item);
  field.setAttribute('aria-activedescendant', item?.firstElementChild.id ?? '');
  item?.scrollIntoView({ block: 'nearest' });
}

field.addEventListener('focus', loadIndex);
field.addEventListener('input', show);
field.addEventListener('keydown', (event) => {
  const selected = list.querySelector('[aria-selected="true"]')?.parentElement;
  if (event.key === 'Enter') (selected ?? list.firstElementChild)?.firstElementChild.click();
  else if (event.key === 'ArrowDown') select(selected?.nextElementSibling ?? list.firstElementChild);
  else if (event.key === 'ArrowUp') select(selected?.previousElementSibling ?? list.lastElementChild);
  else return;
  event.preventDefault();
});
list.addEventListener('click', () => document.getElementById('tsd-search').close());

// The commands of each package manager, as tabs. The choice holds for all blocks, and for later pages.
const CHOSEN = 'package-manager';
const groups = [...document.querySelectorAll('.managers')].map((group, number) => {
  const blocks = [...group.querySelectorAll(':scope > pre')];
  const names = group.dataset.names.split(' ');
  const list = document.createElement('div');
  list.role = 'tablist';
  list.setAttribute('aria-label', 'Package manager');
  const tabs = names.map((name, at) => {
    const tab = document.createElement('button');
    tab.type = 'button';
    tab.role = 'tab';
    tab.textContent = name;
    tab.id = `manager-${number}-${name}`;
    blocks[at].role = 'tabpanel';
    blocks[at].id = `manager-${number}-${name}-panel`;
    blocks[at].setAttribute('aria-labelledby', tab.id);
    tab.setAttribute('aria-controls', blocks[at].id);
    tab.addEventListener('click', () => choose(name));
    return tab;
  });
  list.addEventListener('keydown', ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (!step) return;
    const at = (tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length;
    choose(names[at]);
    tabs[at].focus();
  });
  list.append(...tabs);
  group.prepend(list);
  return { names, blocks, tabs };
});

function choose(name) {
  try {
    localStorage.setItem(CHOSEN, name);
  } catch {
    // Without storage, the choice holds for this page.
  }
  showManager(name);
}

function showManager(chosen) {
  for (const { names, blocks, tabs } of groups) {
    const name = names.includes(chosen) ? chosen : names[0];
    names.forEach((other, at) => {
      blocks[at].hidden = other !== name;
      tabs[at].ariaSelected = String(other === name);
      tabs[at].tabIndex = other === name ? 0 : -1;
    });
  }
}

let stored;
try {
  stored = localStorage.getItem(CHOSEN);
} catch {
  stored = null;
}
showManager(stored);
