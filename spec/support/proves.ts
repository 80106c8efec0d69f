/**
 * Defines the global function `proves`: `proves('F-1-47 F-1-48')` before an `it` or a `describe` says which clauses it proves.
 * `npm run check -- clauses` reads these ids. `.mocharc.json` loads this file before the specs.
 */
import { type Runnable, Suite } from 'mocha';

declare global {
  /**
   * Attaches ids to the next `it`, or to all tests of the next `describe`.
   *
   * @param ids Ids of clauses and security advisories, separated by spaces: `F-4.5-98 CVE-2024-43796`.
   * @throws TypeError if a text is no such id.
   */
  function proves(ids: string): void;
}

type Test = Runnable | Suite;

const ID = String.raw`(?:[FL]-\d+(?:\.\d+)?-\d+|E4-[A-J]\d+|CVE-\d{4}-\d+|GHSA(?:-\w{4}){3})`;
const IDS = new RegExp(`^${ID}(?: ${ID})*$`);

const proved = new WeakMap<Test, readonly string[]>();
let misplaced: TypeError | undefined;
let next: readonly string[] = [];

/** @returns The ids that stand before a test and before the `describe`s around it. */
export function idsOf(test: Test): string[] {
  return [...(test.parent ? idsOf(test.parent) : []), ...(proved.get(test) ?? [])];
}

globalThis.proves = (ids) => {
  if (!IDS.test(ids)) throw new TypeError(`proves: expected ids separated by spaces, got "${ids}"`);
  if (misplaced) throw misplaced;
  misplaced = new TypeError('proves: no it() or describe() follows');
  next = ids.split(' ');
  // A spec file creates its tests synchronously.
  queueMicrotask(() => {
    if (misplaced) throw misplaced;
  });
};

function attach(test: Test): void {
  const [id] = new RegExp(`\\b${ID}`).exec(test.title) ?? [];
  if (id) throw new TypeError(`"${test.title}": write proves('${id}') before the test, not in its title`);
  proved.set(test, next);
  [next, misplaced] = [[], undefined];
}

const { addSuite, addTest } = Suite.prototype;
Suite.prototype.addSuite = function (suite) {
  attach(suite);
  return addSuite.call(this, suite);
};
Suite.prototype.addTest = function (test) {
  attach(test);
  return addTest.call(this, test);
};
