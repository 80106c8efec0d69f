/** Clocks and timers of test runners. */
import timers from 'node:timers';
import type { Circumstance, Restore } from './circumstance';

/** The time that fake clocks show. */
const NOW = Date.UTC(2020, 0, 2, 3, 4, 5);
/** Timers that stand still let some responses wait forever, with Express, too. */
const PATIENCE = 400;

/** Names end in `-before` or `-after`: replaced before the framework is loaded, or when the server listens. */
export const TIMERS: Readonly<Record<string, Circumstance>> = {
  ...beforeAndAfter('fake-clock', '@sinonjs/fake-timers replaces clock and timers', fakeClock, {
    needs: '@sinonjs/fake-timers',
  }),
  ...beforeAndAfter('mock-timers', 'node:test mocks clock and timers', mockTimers, { patience: PATIENCE }),
  ...beforeAndAfter(
    'numeric-timers',
    'timers are numbers, and there is no setImmediate, as in jsdom,',
    numericTimers,
    { patience: PATIENCE },
  ),
};

function beforeAndAfter(
  name: string,
  what: string,
  replace: () => Restore,
  others: Pick<Circumstance, 'needs' | 'patience'>,
): Record<string, Circumstance> {
  return {
    [`${name}-before`]: {
      what: `${what} before the framework is loaded`,
      beforeLoading: () => void replace(),
      ...others,
    },
    [`${name}-after`]: { what: `${what} when the server listens`, afterListening: replace, ...others },
  };
}

/** What this file uses of @sinonjs/fake-timers, which has no declarations. */
interface FakeTimers {
  install(options: Readonly<Record<string, unknown>>): { uninstall(): void };
}

/** Replaces the global clock and timers. The timers go on with the real time. */
function fakeClock(): Restore {
  const { install } = require('@sinonjs/fake-timers') as FakeTimers;
  const toFake = [
    'setTimeout',
    'clearTimeout',
    'setInterval',
    'clearInterval',
    'setImmediate',
    'clearImmediate',
    'Date',
  ];
  const clock = install({ now: NOW, toFake, shouldAdvanceTime: true, advanceTimeDelta: 2 });
  return () => clock.uninstall();
}

function mockTimers(): Restore {
  const { mock } = require('node:test') as typeof import('node:test');
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'setImmediate', 'Date'], now: NOW } as never);
  return () => mock.timers.reset();
}

function numericTimers(): Restore {
  const { setTimeout, setInterval, setImmediate, clearImmediate } = globalThis;
  let id = 0;
  const numbered =
    (set: typeof timers.setTimeout) =>
    (...args: Parameters<typeof timers.setTimeout>): number => {
      set(...args).unref();
      return ++id;
    };
  Object.assign(globalThis, {
    setTimeout: numbered(timers.setTimeout),
    setInterval: numbered(timers.setInterval as typeof timers.setTimeout),
  });
  Reflect.deleteProperty(globalThis, 'setImmediate');
  Reflect.deleteProperty(globalThis, 'clearImmediate');
  return () => void Object.assign(globalThis, { setTimeout, setInterval, setImmediate, clearImmediate });
}
