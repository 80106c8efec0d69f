/** Clocks and timers of test runners. */
import timers from 'node:timers';
import type { Circumstance, Restore } from './circumstance';

/** The time that fake clocks show. */
const NOW = Date.UTC(2020, 0, 2, 3, 4, 5);
/** Timers that stand still let some responses wait forever, with Express, too. */
const PATIENCE = 400;

export const FAKE_CLOCK_BEFORE: Circumstance = {
  what: '@sinonjs/fake-timers replaces clock and timers before the framework is loaded',
  needs: '@sinonjs/fake-timers',
  beforeLoading: () => void fakeClock(),
};

export const FAKE_CLOCK_AFTER: Circumstance = {
  what: '@sinonjs/fake-timers replaces clock and timers when the server listens',
  needs: '@sinonjs/fake-timers',
  afterListening: fakeClock,
};

export const MOCK_TIMERS_BEFORE: Circumstance = {
  what: 'node:test mocks clock and timers before the framework is loaded',
  beforeLoading: () => void mockTimers(),
  patience: PATIENCE,
};

export const MOCK_TIMERS_AFTER: Circumstance = {
  what: 'node:test mocks clock and timers when the server listens',
  afterListening: mockTimers,
  patience: PATIENCE,
};

export const NUMERIC_TIMERS_BEFORE: Circumstance = {
  what: 'timers are numbers, and there is no setImmediate, as in jsdom, before the framework is loaded',
  beforeLoading: () => void numericTimers(),
  patience: PATIENCE,
};

export const NUMERIC_TIMERS_AFTER: Circumstance = {
  what: 'timers are numbers, and there is no setImmediate, as in jsdom, when the server listens',
  afterListening: numericTimers,
  patience: PATIENCE,
};

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
