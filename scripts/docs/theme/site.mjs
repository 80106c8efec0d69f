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
