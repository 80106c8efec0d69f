/** `nozomi migrate`: the source files of an application of Express 4, for Express 5. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkMigration } from '../migrate/check';
import type { Finding } from '../migrate/context';
import { type Migrated, migrate } from '../migrate/migrate';
import { loadParser } from '../migrate/parser';
import { type Command, subcommand } from './subcommand';

const MIGRATE_HELP = `Rewrites an application of Express 4 for Express 5, in place:

  nozomi migrate app.js routes/
  nozomi migrate src --dry-run                      prints the changes as a diff, and writes nothing

Give all files of the application at once: what one of them reads decides how another is changed. Of a folder it takes
all JavaScript and TypeScript. Each path is compared with its new form on at least 50 targets by the matchers of both
series. What cannot be decided gets a comment that begins with "nozomi migrate:".

  nozomi migrate app.js routes/ --check app.js --har traffic.har

plays recorded requests to the application as it is, with its Express 4, and as it would be, with Express 5; reports the
differences as nozomi parity does, and writes nothing. --requests <file> instead of --har, and its options --fresh,
--origin, --runs, --patience, --seed, --divergences, --only, --grep, --reporter, --candidate are those of nozomi parity.

  -n, --dry-run           print a diff
  --check <file>          the file that starts the application, or exports it
  -h, --help

Exit code: 0 done (with --check: equal), 1 something is left to decide (with --check: different), 2 could not run, or
a file cannot be parsed: it is named, and the others are migrated.
`;

const EXTENSION = /\.(?:[mc]?[jt]s|[jt]sx)$/;
/** Passed on to the comparison. */
const FOR_PARITY =
  'har requests origin fresh runs patience seed divergences candidate only grep reporter'.split(' ');

export const migrateCommand: Command = subcommand({
  name: 'migrate',
  help: MIGRATE_HELP,
  options: {
    'dry-run': { type: 'boolean', short: 'n', default: false },
    check: { type: 'string' },
    ...Object.fromEntries(FOR_PARITY.map((name) => [name, { type: 'string', multiple: true } as const])),
  },
  async run({ values, positionals, behind }) {
    const files = [...positionals, ...behind].flatMap(filesIn);
    if (files.length === 0) throw new TypeError('which files? nozomi migrate app.js routes/');
    const { 'dry-run': isDry, check } = values;
    const given = values as Readonly<Record<string, unknown>>;
    const forParity = FOR_PARITY.flatMap((name) =>
      ((given[name] ?? []) as string[]).flatMap((value) => [`--${name}`, value]),
    );
    if (check === undefined && forParity.length > 0)
      throw new TypeError(`${forParity[0]} belongs to --check <file>`);

    const migrated = await migrate(files.map((name) => ({ name, text: readFileSync(name, 'utf8') })));
    report(migrated);
    const isUnparsed = migrated.some(({ unparsed }) => unparsed !== undefined);
    if (check !== undefined) {
      const code = await checkMigration(check, migrated, forParity);
      return isUnparsed ? 2 : code;
    }
    const changed = migrated.filter(({ before, after }) => before !== after);
    if (isDry) {
      const { diff } = await loadParser();
      for (const { name, before, after } of changed)
        process.stdout.write(`${diff(name, before, after).trimEnd()}\n`);
    } else {
      for (const { name, after } of changed) writeFileSync(name, after);
    }
    if (isUnparsed) return 2;
    return migrated.some(({ refused }) => refused.length > 0) ? 1 : 0;
  },
});

/** A file, or the files below a folder. */
function filesIn(name: string): string[] {
  if (!statSync(name).isDirectory()) return [name];
  return readdirSync(name, { withFileTypes: true }).flatMap((entry) => {
    const path = join(name, entry.name);
    if (entry.isDirectory()) return /^(?:node_modules|\..*)$/.test(entry.name) ? [] : filesIn(path);
    return EXTENSION.test(entry.name) && !/\.d\.[mc]?ts$/.test(entry.name) ? [path] : [];
  });
}

/** To standard error: standard output is for the diff. */
function report(migrated: readonly Migrated[]): void {
  const count = (key: 'changes' | 'refused'): number =>
    migrated.reduce((sum, one) => sum + one[key].length, 0);
  for (const { name, changes, refused, notes, unparsed } of migrated) {
    if (unparsed !== undefined) console.error(`${name}: not migrated, it cannot be parsed: ${unparsed}`);
    tell(name, '', changes);
    tell(name, 'note: ', notes);
    tell(name, 'to decide: ', refused);
  }
  const broken = migrated.filter(({ unparsed }) => unparsed !== undefined).length;
  console.error(
    `${migrated.length} files: ${count('changes')} changes, ${count('refused')} places to decide${broken > 0 ? `, ${broken} not parsed` : ''}; line numbers are those before`,
  );
}

function tell(name: string, kind: string, findings: readonly Finding[]): void {
  for (const { line, text } of findings) console.error(`${name}:${line}: ${kind}${text}`);
}
