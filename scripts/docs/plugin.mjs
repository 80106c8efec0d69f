// A plugin of TypeDoc.
import { RendererEvent, Slugger } from 'typedoc';

export function load(app) {
  // For each link to an anchor that it does not know, TypeDoc compares all anchors of the page, for a warning that is not
  // shown: half a minute in all. `deadLinksIn` checks the anchors.
  Slugger.prototype.getSimilarAnchors = () => [];

  app.renderer.on(RendererEvent.BEGIN, ({ pages }) => {
    let done = 0;
    app.renderer.on('endPage', () => {
      if (++done % 50 === 0 || done === pages.length)
        console.log(`  ${done} of ${pages.length} pages written`);
    });
  });
}
