// A plugin of TypeDoc.
import { JSX, RendererEvent, Slugger } from 'typedoc';

export function load(app) {
  // For each link to an anchor that it does not know, TypeDoc compares all anchors of the page, for a warning that is not
  // shown: half a minute in all. `deadLinksIn` checks the anchors.
  Slugger.prototype.getSimilarAnchors = () => [];

  let order = [];
  app.renderer.on(RendererEvent.BEGIN, ({ pages, project }) => {
    order = inReadingOrder(project.documents ?? []);
    let done = 0;
    app.renderer.on('endPage', () => {
      if (++done % 50 === 0 || done === pages.length)
        console.log(`  ${done} of ${pages.length} pages written`);
    });
  });

  // Links to the pages before and after a page of the guide.
  app.renderer.hooks.on('content.end', ({ model, urlTo }) => {
    const at = order.indexOf(model);
    if (at < 0) return JSX.createElement(JSX.Fragment, null);
    const link = (page, label, rel) =>
      page &&
      JSX.createElement(
        'a',
        { href: urlTo(page), rel, class: rel },
        JSX.createElement('span', null, label),
        ' ',
        page.name,
      );
    return JSX.createElement(
      'nav',
      { class: 'pager', 'aria-label': 'Previous and next page' },
      link(order[at - 1], 'Previous', 'prev'),
      link(order[at + 1], 'Next', 'next'),
    );
  });
}

function inReadingOrder(documents) {
  return documents.flatMap((page) => [page, ...inReadingOrder(page.children ?? [])]);
}
