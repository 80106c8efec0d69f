/** Finds packages that only Express depends on, and several copies of the framework. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageFolderOf } from '../../copy-folder';
import { nameOfFile } from '../format';
import type { LiveApplication } from '../live';
import type { Change, Finding, Site } from '../model';
import { folderOf, manifestIn, type Requirement } from '../replace';
import { isOfApplication, OWN_ROOT } from '../sites';
import { CODES } from './codes';

interface Dependencies {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const FRAMEWORKS = ['express', 'nozomi'];

export function findUndeclared({ loaded, home }: LiveApplication): Finding[] {
  const { requirements, copies } = loaded;
  const expressFolders = [...copies.keys()].filter((folder) => manifestIn(folder).name === 'express');
  const ofExpress = new Set(expressFolders.flatMap((folder) => [...treeOf([folder])]));
  const others = treeOf(dependenciesOf(home), expressFolders);
  const seen = new Set<string>();
  return requirements.flatMap((requirement): Finding[] => {
    const { name, from, folder } = requirement;
    const loader = folderOf(from) ?? packageFolderOf(from);
    const key = `${name}\n${loader}`;
    if (!ofExpress.has(folder) || others.has(folder) || ofExpress.has(loader) || seen.has(key)) return [];
    if (expressFolders.includes(folder) || loader === OWN_ROOT || declares(from, name)) return [];
    // If no package.json lists the framework either, the application does not declare its dependencies at all.
    if (!FRAMEWORKS.some((framework) => declares(from, framework))) return [];
    seen.add(key);
    const isOwn = isOfApplication(from, home);
    return [
      {
        code: CODES.undeclared.code,
        severity: isOwn ? 'warning' : 'note',
        message: `${nameOfFile(from)} loads ${name}, which no package.json lists: it is installed only because Express depends on it`,
        site: siteOf(requirement),
        change: listed(home, name, manifestIn(folder).version),
      },
    ];
  });
}

/** Adds a package to the dependencies in the application's package.json, as `npm install` does. */
function listed(home: string, name: string, version: string | undefined): Change | undefined {
  const file = join(home, 'package.json');
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8');
  const found = /"dependencies"\s*:\s*\{/.exec(text);
  if (!found) return undefined;
  const at = found.index + found[0].length;
  return {
    fix: `npm install ${name}@${version}`,
    edits: [{ file, start: at, end: at, text: `"${name}":"^${version}",` }],
  };
}

/** Whether a package.json above a file lists the package as a dependency, or has its name. Workspaces count, too. */
function declares(file: string, name: string): boolean {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const { dependencies, devDependencies, peerDependencies, optionalDependencies } = manifestIn(
      folder,
    ) as Dependencies;
    const all = { ...dependencies, ...devDependencies, ...peerDependencies, ...optionalDependencies };
    if (Object.hasOwn(all, name) || manifestIn(folder).name === name) return true;
    if (folder === dirname(folder)) return false;
  }
}

/** The folders of the installed dependencies of a package. Includes devDependencies only outside of node_modules. */
function dependenciesOf(folder: string): string[] {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = manifestIn(
    folder,
  ) as Dependencies;
  const names = Object.keys({
    ...dependencies,
    ...optionalDependencies,
    ...peerDependencies,
    ...(folder.includes('node_modules') ? {} : devDependencies),
  });
  return names.flatMap((name) => locate(name, folder) ?? []);
}

function locate(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, 'node_modules', name);
    if (existsSync(join(found, 'package.json'))) return realpathSync(found);
    if (folder === dirname(folder)) return undefined;
  }
}

/** The packages in these folders, with all their dependencies. Omits those in `omitted`, and their dependencies. */
function treeOf(folders: readonly string[], omitted: readonly string[] = []): Set<string> {
  const isKept = (folder: string): boolean => !omitted.includes(folder);
  const tree = new Set(folders.filter(isKept));
  for (const folder of tree) for (const below of dependenciesOf(folder).filter(isKept)) tree.add(below);
  return tree;
}

/** The first line of a file that contains the package name in quotes; line 1 if none does. */
function siteOf({ name, from }: Pick<Requirement, 'name' | 'from'>): Site {
  const lines = readFileSync(from, 'utf8').split('\n');
  const quoted = new RegExp(`['"\`]${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?:/|['"\`])`);
  return { file: from, line: lines.findIndex((line) => quoted.test(line)) + 1 || 1 };
}

export function findCopies({ loaded, home }: LiveApplication): Finding[] {
  const copies = [...loaded.copies.values()];
  if (copies.length < 2) return [];
  const own = copies.filter(({ users }) => [...users.keys()].some((file) => isOfApplication(file, home)));
  // Copies under two names are intentional, for example during a migration.
  const names = new Set(own.flatMap(({ users }) => [...users.values()]));
  const named = copies.map(({ version, folder }) => `${version} in ${nameOfFile(folder)}`).join(', ');
  const [user] = (own[1] ?? copies[1])?.users ?? [];
  return [
    {
      code: CODES.copies.code,
      severity: own.length > names.size ? 'warning' : 'note',
      message: `${copies.length} copies of the framework are loaded: ${named}`,
      site: user && siteOf({ from: user[0], name: user[1] }),
    },
  ];
}
