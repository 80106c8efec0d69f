/**
 * `nozomi-parity/eslint`: a plugin for ESLint with the mistakes of `nozomi-parity doctor` that the source of a handler shows.
 * It parses each file itself, so it works with every parser of ESLint.
 */
import { CODES } from '../inspect/findings/codes';
import type { Finding } from '../inspect/model';
import { findInSource } from './source';

/** The part of the context of a rule that is read. */
interface Context {
  readonly filename: string;
  readonly sourceCode: { readonly text: string };
  report(problem: {
    readonly message: string;
    readonly loc: { readonly line: number; readonly column: number };
  }): void;
}

interface Rule {
  readonly meta: {
    readonly type: 'problem';
    readonly docs: { readonly description: string };
    readonly schema: readonly [];
  };
  create(context: Context): { Program(): void };
}

/** The name of each rule, with the mistake that it reports. */
const RULES = {
  'second-response': CODES.secondResponse,
  'header-after-response': CODES.headerAfter,
  'promise-sent': CODES.promiseSent,
  'redirect-without-scheme': CODES.hostWithoutScheme,
  'status-as-body': CODES.statusAsBody,
  'status-undefined': CODES.statusUnknown,
  'next-undeclared': CODES.nextUndeclared,
  'throw-in-callback': CODES.thrownLater,
  'catch-without-response': CODES.silentCatch,
  'parameters-swapped': CODES.swapped,
} as const;

const PREFIX = 'nozomi';

/** The name of the plugin. */
export const meta = { name: 'nozomi-parity/eslint' };

/** The rules, by name. */
export const rules: Readonly<Record<string, Rule>> = Object.fromEntries(
  Object.entries(RULES).map(([title, { code, finds, why }]): [string, Rule] => [
    title,
    {
      meta: {
        type: 'problem',
        docs: { description: finds },
        schema: [],
      },
      create: (context) => ({
        Program: () => {
          for (const { message, site } of findingsOf(context).filter((one) => one.code === code))
            context.report({ message: `${message}. ${why}`, loc: { line: site?.line ?? 1, column: 0 } });
        },
      }),
    },
  ]),
);

const known = new WeakMap<object, readonly Finding[]>();

/** The findings in a file. All rules share them. */
function findingsOf({ sourceCode, filename }: Context): readonly Finding[] {
  const found = known.get(sourceCode) ?? findInSource(filename, sourceCode.text);
  known.set(sourceCode, found);
  return found;
}

/** `recommended`: every rule as an error, for `eslint.config.js`. */
export const configs = {
  recommended: {
    name: `${PREFIX}/recommended`,
    plugins: { [PREFIX]: { meta, rules } },
    rules: Object.fromEntries(Object.keys(rules).map((title) => [`${PREFIX}/${title}`, 'error' as const])),
  },
};
