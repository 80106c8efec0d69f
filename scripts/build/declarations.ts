/**
 * Writes the declarations of the entry points, one file each. `interface.d.ts` beside an entry point is its declaration;
 * the others are bundled from those that tsc writes. Files that no entry point needs are left out, because the packages
 * that they import would have to be dependencies.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { type Plugin, rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { COMPILED } from './bundle';
import { intoNamespace } from './namespace';

const ASSIGNMENT = /^export = /m;
// Matches an import from the own package: what it imports, as `{ type X as Y }`, and the path.
const IMPORT = /^import (?:type )?(\{[^}]*\}|\* as \w+) from '(\.[^']*)';$/gm;
const WRITTEN = 'written:';
const SOURCE = join(COMPILED, '..', 'src');
const IMPORTS_OF = '\0imports of ';

/**
 * Bundles the declarations of some entry points. The files of a folder become part of its `types.d.ts`. Others that several
 * entry points need stay files: a program must not get the augmentations of an entry point that it does not use.
 *
 * The bundler cannot write an `export =`. The types that such an entry point imports become its namespace.
 *
 * @param from The folder with the output of tsc.
 * @param to The folder to write to.
 * @param entries The paths of the entry points below both folders, without `.d.ts`: `index`, `fetch/index`.
 */
export async function bundleDeclarations(
  from: string,
  to: string,
  entries: readonly string[],
): Promise<void> {
  const input: Record<string, string> = {};
  for (const entry of entries) {
    const written = join(SOURCE, posix.dirname(entry), 'interface.d.ts');
    if (from === COMPILED && existsSync(written)) {
      mkdirSync(dirname(join(to, entry)), { recursive: true });
      writeFileSync(join(to, `${entry}.d.ts`), withPublicPaths(readFileSync(written, 'utf8')));
      continue;
    }
    const file = join(from, `${entry}.d.ts`);
    const text = readFileSync(file, 'utf8');
    if (!ASSIGNMENT.test(text)) {
      input[entry] = file;
      continue;
    }
    input[posix.join(posix.dirname(entry), 'types')] = IMPORTS_OF + file;
  }
  const outputs = Object.keys(input).filter((output) => input[output]?.startsWith(IMPORTS_OF));
  const bundle = await rollup({
    input,
    external: /^[^./\0]/,
    preserveEntrySignatures: 'allow-extension',
    plugins: [importsOf(), importsOfWritten(from), withoutFileComments(), dts()],
  });
  await bundle.write({
    dir: to,
    entryFileNames: '[name].d.ts',
    minifyInternalExports: false,
    chunkFileNames: ({ name }) => `${name.replace(/\.d$/, '')}.d.ts`,
    onlyExplicitManualChunks: true,
    manualChunks(id) {
      const [folder] = dirname(relative(from, id.replace(IMPORTS_OF, ''))).split(/[\\/]/);
      return outputs.find((output) => posix.dirname(output) === folder);
    },
  });
  for (const output of outputs) {
    const file = join(to, `${output}.d.ts`);
    const declarations = intoNamespace(posix.dirname(output), readFileSync(file, 'utf8'));
    writeFileSync(join(dirname(file), 'index.d.ts'), declarations);
    rmSync(file);
  }
}

/** @returns Declarations whose imports name the entry points instead of `interface`. */
function withPublicPaths(text: string): string {
  return text.replace(/(['"]\.[^'"]*\/)interface(['"])/g, '$1index$2');
}

/** @returns The paths of the declarations in the `exports` of a package.json, without `./dist/` and `.d.ts`. */
export function entryPointsOf(exported: object): string[] {
  const paths = Object.entries(exported).flatMap(([condition, value]): string[] => {
    if (typeof value === 'object' && value !== null) return entryPointsOf(value);
    return condition === 'types' && value.endsWith('.d.ts')
      ? [value.slice('./dist/'.length, -'.d.ts'.length)]
      : [];
  });
  return [...new Set(paths)];
}

/** Creates the plugin that removes the first comment of each file: in a bundle, an editor shows it for a member. */
function withoutFileComments(): Plugin {
  return {
    name: 'without file comments',
    transform: (code) => code.replace(/^\/\*\*[\s\S]*?\*\/\n/, ''),
  };
}

/** Creates the plugin that leaves imports of an `interface.d.ts` in the output, as imports of its entry point. */
function importsOfWritten(from: string): Plugin {
  return {
    name: 'written declarations',
    resolveId(id, importer) {
      if (!id.endsWith('/interface') || !importer) return null;
      const path = relative(from, join(dirname(importer.replace(IMPORTS_OF, '')), id)).replaceAll('\\', '/');
      if (!existsSync(join(SOURCE, `${path}.d.ts`))) return null;
      return { id: `${WRITTEN}${path.replace(/interface$/, 'index')}`, external: true };
    },
    renderChunk: (code, { fileName }) =>
      code.replaceAll(/(['"])written:([^'"]*)/g, (_, quote: string, path: string) => {
        const target = posix.relative(posix.dirname(fileName), path);
        return quote + (target.startsWith('.') ? target : `./${target}`);
      }),
  };
}

/** Creates the plugin for modules that export what an entry point imports from its own package. */
function importsOf(): Plugin {
  return {
    name: 'imports of an entry point',
    async resolveId(id, importer) {
      if (id.startsWith(IMPORTS_OF)) return id;
      const found = await this.resolve(id, importer, { skipSelf: true });
      // Leave out files of which no type is used, although they augment other modules.
      return found && { ...found, moduleSideEffects: false };
    },
    load(id) {
      if (!id.startsWith(IMPORTS_OF)) return null;
      const file = id.slice(IMPORTS_OF.length);
      const imports = readFileSync(file, 'utf8').matchAll(IMPORT);
      return [...imports]
        .map(([, names = '*', path = '']) => {
          const exported = names.replace(/\btype | as \w+/g, '');
          return `export ${exported} from ${JSON.stringify(join(dirname(file), path))};\n`;
        })
        .join('');
    },
  };
}
