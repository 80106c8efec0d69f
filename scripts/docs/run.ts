// Generates the documentation site in report/site: the guide from docs/, the API from the declarations of the build, and
// the specification with the evidence for each clause. llms.txt has the guide and the API as Markdown. Run `npm run build` first.
//
//   npm run docs             generates the site, and checks every relative link and anchor
//   npm run docs -- --quick  the same without clauses and recordings, which no guide needs: a quarter of the pages
//   npx tsx watch --include 'docs/**/*.md' scripts/docs/run.ts --quick   again after each change of a page
//   npm run docs -- --look   also opens pages in Chromium at 390 and 1280 pixels, light and dark. axe-core must find no
//                            fault, and no page may be wider than the window. Screenshots: report/site-pictures
//
// Exit code 1 for a dead link, a query of queries.yaml that does not find its page, or a fault in a page, 2 if the site cannot be generated.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import manifest from '../../package.json';
import { readSpecProofs } from '../check/spec-proofs';
import { runCommand } from '../command';
import { deadLinksIn, pagesBelow } from '../links';
import { evidencePages, express4Pages, recordingPages } from './evidence';
import { writeLlms } from './llms';
import { lookAt } from './look';
import { polish } from './polish';
import { trySearch } from './queries';
import { referencePages } from './reference';
import type { Index } from './search';
import { writeSearch } from './search-index';
import { stage } from './stage';

const root = join(__dirname, '..', '..');
const staged = join(root, 'report', 'site-source');
const site = join(root, 'report', 'site');

runCommand({
  options: {
    look: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
  async run({ values }) {
    const { index, lost: headings } = make(values.quick);
    const { queries, names, lost } = trySearch(index);
    for (const query of lost) console.error(query);
    console.log(`search: ${queries} queries and ${names} names, ${lost.length} without their page`);
    const pages = pagesBelow(site, '.html');
    const dead = deadLinksIn(site, pages);
    dead.push(...headings);
    for (const link of dead) console.error(link);
    console.log(`${pages.length} pages in report/site, ${dead.links} links, ${dead.length} dead`);
    const faults = values.look ? await lookAt(site, join(root, 'report', 'site-pictures')) : [];
    for (const fault of faults) console.error(fault);
    return dead.length === 0 && lost.length === 0 && faults.length === 0;
  },
});

function make(isQuick: boolean): { index: Index; lost: readonly string[] } {
  if (!existsSync(join(root, 'dist', 'index.d.ts'))) throw new Error('dist/ has no build: run npm run build');
  for (const folder of [staged, site]) rmSync(folder, { recursive: true, force: true });
  if (!isQuick) console.log('reading which clauses the specs prove');
  const proofs = isQuick ? [] : readSpecProofs(root);
  console.log('generating the pages of the specification');
  const reference = referencePages();
  const { entryPoints, documents, guide, lost } = stage(
    staged,
    reference,
    isQuick ? [] : [...evidencePages(proofs), ...express4Pages(proofs)],
    isQuick ? [] : recordingPages(),
  );
  mkdirSync(join(staged, 'api'), { recursive: true });
  const compiler = {
    compilerOptions: {
      module: 'nodenext',
      target: 'es2022',
      types: ['node'],
      skipLibCheck: true,
      strict: true,
    },
    include: ['api'],
  };
  writeFileSync(join(staged, 'tsconfig.json'), JSON.stringify(compiler));
  const options = {
    name: `Nozomi ${manifest.version}`,
    entryPoints,
    projectDocuments: documents,
    readme: 'README.md',
    tsconfig: 'tsconfig.json',
    out: site,
    headings: { readme: false, document: false },
    navigation: { includeGroups: true, includeCategories: false, compactFolders: false },
    groupOrder: [
      'Start',
      'Guide',
      'Recipes',
      'Reference',
      'Operation',
      'Switch',
      'Security',
      'Modules',
      'Decisions and evidence',
      'Project',
      '*',
    ],
    sort: ['documents-first', 'source-order'],
    sortEntryPoints: false,
    disableSources: true,
    customCss: join(__dirname, 'theme', 'site.css'),
    // `writeSearch` bundles it again, with the search.
    customJs: join(__dirname, 'theme', 'site.mjs'),
    plugin: [pathToFileURL(join(__dirname, 'plugin.mjs')).href],
    includeVersion: false,
    disableGit: true,
    highlightLanguages: [
      'bash',
      'console',
      'css',
      'diff',
      'docker',
      'html',
      'http',
      'ini',
      'javascript',
      'json',
      'nginx',
      'typescript',
      'tsx',
      'yaml',
      'python',
      'text',
    ],
    validation: false,
    // Hide TypeDoc's warnings about links: TypeDoc does not know anchors in HTML. `deadLinksIn` checks the pages instead.
    logLevel: 'Error',
    includeHierarchySummary: false,
    hideGenerator: true,
  };
  writeFileSync(join(staged, 'typedoc.json'), JSON.stringify(options, null, 2));
  console.log('running TypeDoc');
  const preload = pathToFileURL(join(__dirname, 'typescript.mjs')).href;
  const program = join(root, 'node_modules', 'typedoc', 'bin', 'typedoc');
  const { status } = spawnSync(
    process.execPath,
    ['--import', preload, program, '--options', 'typedoc.json'],
    {
      cwd: staged,
      stdio: 'inherit',
    },
  );
  if (status !== 0) throw new Error('TypeDoc could not generate the site, see the output above');
  polish(site);
  writeLlms(site, staged, {
    Guide: guide,
    Reference: reference.flatMap(({ children }) => children.map(({ path }) => path)),
  });
  console.log('making the index of the search');
  return { index: writeSearch(site), lost };
}
