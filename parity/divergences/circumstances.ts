/** The intended differences from Express that only a circumstance shows, by scenario. */
import type { CircumstanceDivergence } from './divergence';

export const CIRCUMSTANCE_DIVERGENCES: readonly CircumstanceDivergence[] = [
  {
    id: 'finish-listener-throws',
    differs:
      'An error that a listener for `finish` throws while a 404 page is sent is logged; in Express it is not caught.',
    why: 'The final handler catches each error of its own response. Only serverless-http emits `finish` in the call that sends.',
    circumstances: ['serverless-http'],
    scenarios: [
      'logger/2.1-format: the logger accepts a format string with tokens, arguments and other text',
    ],
    places: /^(?:uncaught|stderr)\./,
  },
  {
    id: 'pathless-route',
    differs:
      'A route without a path responds, and other paths reach the 404 page by `setImmediate`; in Express such a route throws at registration.',
    why: 'The difference is declared without a circumstance. Here, `setImmediate` is replaced, so that the 404 page is not sent.',
    circumstances: [
      'mock-timers-before',
      'mock-timers-after',
      'numeric-timers-before',
      'numeric-timers-after',
    ],
    scenarios: ['4-endpoints/4.2-application: app.all and the route methods use the path / if none is given'],
    places: /^(?:[67]|uncaught)\./,
  },
];
