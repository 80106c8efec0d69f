// Writes the tables of docs/compatibility.md from the results of the last runs, in spec/ecosystem/results.json. Run this
// script after a change to a case, or to scripts/published/manifest.yaml.
//
//   npm run generate -- compatibility               writes docs/compatibility.md
//   npm run generate -- compatibility --check    writes nothing; exit code 1 if the page is out of date
import { composePage, PAGE } from '../published/page';
import { runGenerator } from './page';

runGenerator(() => ({ [PAGE]: composePage() }));
