/** `nozomi-parity migrate`: rewrites the source files of an application from Express 4 to Express 5. */
import { readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Finding } from '../migrate/context';
import { type Migrated, migrate, type Source } from '../migrate/migrate';
import { loadParser } from '../migrate/parser';
import { checkMigration } from './check-migration';
import { forwarded } from './options';
import { type Command, subcommand } from './subcommand';

const MIGRATE_HELP = `Rewrites an application of Express 4 for Express 5, in place:

  nozomi-parity migrate app.js routes/
  nozomi-parity migrate src --dry-run                      print the changes as a diff, and write nothing

Name all files of the application in one call: how a file must change depends on what the others read. In a folder, all
JavaScript and TypeScript files are rewritten, except behind symbolic links. The matchers of Express 4 and 5 compare each path with its new form on at
least 50 targets. Where you must decide, it inserts a comment that begins with "nozomi-parity migrate:".

  nozomi-parity migrate app.js routes/ --check app.js --har traffic.har

replays recorded requests against the original application with its Express 4, and against the rewritten one with Nozomi
in place of Express 5. It reports the differences as nozomi-parity does, and writes nothing. --requests (instead of --har), --fresh, --origin,
--runs, --patience, --start, --seed, --divergences, --only, --grep, --reporter and --candidate work as in nozomi-parity.

  -n, --dry-run           print a diff
  --check <file>          the file that starts the application, or exports it
  -h, --help

The last line says what was reached: "proved" (with --check: equal, and no place is left to decide), "rewritten, not
proved" (with --dry-run: "would rewrite, not proved"), "nothing to rewrite", "to decide", or "nothing found" if no file contains anything of Express.

Exit code: 0 proved, rewritten or nothing to rewrite; 1 to decide, different, or nothing found; 2 could not run, or could
not read or parse a file. It prints the name of that file and rewrites the others.
`;

const EXTENSION = /\.(?:[mc]?[jt]s|[jt]sx)$/;
/** Options that `--check` passes to `nozomi-parity`. */
const FOR_PARITY = forwarded(
  'har requests env origin fresh runs patience start seed divergences candidate only grep reporter'.split(
    ' ',
  ),
);

export const migrateCommand: Command = subcommand({
  name: 'migrate',
  help: MIGRATE_HELP,
  options: {
    'dry-run': { type: 'boolean', short: 'n', default: false },
    check: { type: 'string' },
    ...FOR_PARITY.options,
  },
  async run({ values, positionals, behind }) {
    const names = [...positionals, ...behind];
    for (const name of names) checkLinks(name);
    const files = withoutRepeated(names.flatMap(filesIn));
    if (files.length === 0) throw new TypeError('no file given: nozomi-parity migrate app.js routes/');
    const { 'dry-run': isDry, check } = values;
    const forParity = FOR_PARITY.argsOf(values);
    if (check === undefined && forParity.length > 0)
      throw new TypeError(`${forParity[0]} requires --check <file>`);

    const migrated = await migrate(files.map(readSource));
    report(migrated);
    const isUnparsed = migrated.some(({ unparsed }) => unparsed !== undefined);
    if (check !== undefined) {
      const code = await checkMigration(check, migrated, forParity);
      return conclude(migrated, isUnparsed ? 2 : code, 'checked');
    }
    const changed = migrated.filter(({ before, after }) => before !== after);
    if (isDry) {
      const { diff } = loadParser();
      for (const { name, before, after } of changed)
        process.stdout.write(`${diff(name, before, after).trimEnd()}\n`);
    } else {
      for (const { name, after } of changed) writeFileSync(name, after);
    }
    return conclude(migrated, isUnparsed ? 2 : 0, isDry ? 'dry' : 'written');
  },
});

/**
 * Prints what was reached, as the last line.
 *
 * @param code The exit code so far: of the check, or 2 if a file cannot be parsed.
 * @returns The exit code.
 */
function conclude(migrated: readonly Migrated[], code: number, kind: 'checked' | 'dry' | 'written'): number {
  const say = (text: string, result: number): number => {
    console.error(text);
    return Math.max(code, result);
  };
  const toDecide = migrated.reduce((sum, { refused }) => sum + refused.length, 0);
  const unclear = migrated.reduce((sum, one) => sum + one.unclear.length, 0);
  if (code === 2) return code;
  if (toDecide === 0 && !migrated.some(({ isRecognised }) => isRecognised))
    return say('nothing found: no file contains an application, a router or a handler of Express', 1);
  const places = `${toDecide === 1 ? '1 place' : `${toDecide} places`}, each with a comment`;
  const calls = `${unclear === 1 ? '1 call' : `${unclear} calls`} not understood`;
  if (toDecide > 0) return say(`to decide: ${places}${unclear > 0 ? `; ${calls}` : ''}`, 1);
  if (unclear > 0) return say(`to decide: ${calls}`, 1);
  if (kind === 'checked')
    return say(
      code === 0 ? 'proved: the same responses to these requests' : 'not proved: see the differences',
      0,
    );
  if (migrated.every(({ changes }) => changes.length === 0)) return say('nothing to rewrite', 0);
  const check = '--check <file> and --requests <file> or --har <file>';
  if (kind === 'dry') return say(`would rewrite, not proved: to prove it, use ${check}`, 0);
  return say(`rewritten, not proved: to prove it, restore the files and use ${check}`, 0);
}

/**
 * Refuses a file or folder that a symbolic link moves out of the working directory, or out of the folder that contains
 * the link.
 *
 * @throws TypeError with the path that must be given instead.
 */
function checkLinks(name: string): void {
  const path = resolve(name);
  const home = isInside(process.cwd(), path) ? process.cwd() : dirname(path);
  const real = realpathSync(path);
  if (!isInside(realpathSync(home), real))
    throw new TypeError(`${name} leads out of ${home} through a symbolic link; to migrate it, name ${real}`);
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && resolve(folder, way) === path;
}

/** Reads a file. Names why it cannot be rewritten if its bytes are not UTF-8, because writing it would change them. */
function readSource(name: string): Source {
  const bytes = readFileSync(name);
  const text = bytes.toString();
  if (bytes.equals(Buffer.from(text))) return { name, text };
  return { name, text, unreadable: 'it is not UTF-8: convert it first' };
}

/** Removes files that are named twice, also by a link inside the folder. */
function withoutRepeated(files: readonly string[]): string[] {
  return [...new Map(files.map((file) => [realpathSync(file), file] as const).reverse()).values()].reverse();
}

/**
 * Returns the file, or all JavaScript and TypeScript files below the folder. Skips `*.d.ts`, node_modules, `.*` and
 * symbolic links, whose targets may be outside the folder.
 */
function filesIn(name: string): string[] {
  if (!statSync(name).isDirectory()) return [name];
  return readdirSync(name, { withFileTypes: true }).flatMap((entry) => {
    const path = join(name, entry.name);
    if (entry.isSymbolicLink()) {
      console.error(`${path}: skipped, it is a symbolic link`);
      return [];
    }
    if (entry.isDirectory()) return /^(?:node_modules|\..*)$/.test(entry.name) ? [] : filesIn(path);
    return EXTENSION.test(entry.name) && !/\.d\.[mc]?ts$/.test(entry.name) ? [path] : [];
  });
}

/** Writes the report to standard error, because `--dry-run` writes the diff to standard output. */
function report(migrated: readonly Migrated[]): void {
  const count = (key: 'changes' | 'refused'): number =>
    migrated.reduce((sum, one) => sum + one[key].length, 0);
  for (const { name, changes, refused, notes, unclear, unparsed } of migrated) {
    if (unparsed !== undefined) console.error(`${name}: not migrated, ${unparsed}`);
    tell(name, '', changes);
    tell(name, 'note: ', notes);
    tell(name, 'to decide: ', refused);
    tell(name, 'not understood: ', unclear);
  }
  const all = migrated.reduce((sum, { calls }) => sum + calls, 0);
  const understood = all - migrated.reduce((sum, { unclear }) => sum + unclear.length, 0);
  const share = all === 0 ? '' : ` (${Math.floor((understood / all) * 100)} %)`;
  const broken = migrated.filter(({ unparsed }) => unparsed !== undefined).length;
  console.error(
    `${migrated.length} files: ${count('changes')} changes, ${count('refused')} places to decide${broken > 0 ? `, ${broken} not parsed` : ''}; ${understood} of ${all} calls on applications and routers understood${share}; line numbers refer to the original files`,
  );
}

function tell(name: string, kind: string, findings: readonly Finding[]): void {
  for (const { line, text } of findings) console.error(`${name}:${line}: ${kind}${text}`);
}
