/** Checks an observation of a scenario against what the scenario expects. */
import { deepStrictEqual } from 'node:assert';
import type { Exchange, Expected } from '../client/messages';
import type { Step } from '../client/request';
import type { Observation } from '../implementations/protocol';
import type { Scenario } from '../scenario/scenario';

/** Whether a scenario says what it expects. A request that a function creates does not count. */
export function hasExpectation({ expect, requests }: Pick<Scenario, 'expect' | 'requests'>): boolean {
  return expect !== undefined || requests.some(isExpecting);
}

function isExpecting(step: Step): boolean {
  if (typeof step === 'function') return false;
  return step.kind === 'connection' ? step.requests.some(isExpecting) : step.expected !== undefined;
}

/** @throws AssertionError for the first response or output that is not as expected; Error if nothing was observed. */
export function checkExpectation(scenario: Scenario, seen: Observation): void {
  const problem = seen.lost ?? seen.threw;
  if (problem !== undefined && !scenario.expect) throw new Error(problem);
  for (const [index, exchange] of seen.exchanges.entries()) {
    const { method, target, expected } = exchange.request;
    if (!expected) continue;
    const name = `${index + 1}. ${method} ${target}`;
    deepStrictEqual({ [name]: partsOf(exchange, expected) }, { [name]: expected });
  }
  scenario.expect?.(seen);
}

/** Returns the expected parts of a response as they came. A text that matches an expected pattern becomes the pattern. */
function partsOf({ response, outcome }: Exchange, expected: Expected): Expected {
  const text = response.body?.toString();
  return Object.fromEntries(
    Object.entries(expected).map(([name, value]) => {
      const actual = partOf(name, value);
      return [name, value instanceof RegExp && value.test(String(actual)) ? value : actual];
    }),
  );

  function partOf(name: string, value: unknown): unknown {
    if (name === 'body') return text;
    if (name === 'json') return text && JSON.parse(text);
    if (name === 'outcome') return outcome;
    if (name === 'status' || name === 'reason') return response[name];
    const values = (response.headers ?? []).filter(([one]) => one.toLowerCase() === name.toLowerCase());
    const all = values.map(([, value]) => value);
    return Array.isArray(value) || all.length > 1 ? all : all[0];
  }
}
