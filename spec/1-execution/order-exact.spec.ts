/**
 * Compares random routing tables with Express's router: each request runs the same layers in the same order (§1).
 * `ROUTING_PAIRS=5000000 PROPERTY_SEED=any npx mocha spec/1-execution/order-exact.spec.ts` tests more tables, and
 * `npm test -- routing` a million pairs.
 */
import express from 'express';
import fc from 'fast-check';
import framework from 'nozomi';
import { PROPERTY } from '../support/properties';
import { expectSameRoad } from './play-table';
import { type Asked, asked, type Table, table } from './random-tables';

/** The number of requests to each table. */
const REQUESTS = 50;

const pairs = Number(process.env.ROUTING_PAIRS ?? 40_000);

/** Tables that found faults, with their requests. fast-check plays them first. */
const FOUND: Array<[Table, Asked[]]> = [
  // The router of Express loses a parameter named __proto__ when it merges parameters.
  [
    {
      options: {},
      entries: [
        {
          kind: 'router',
          path: '/:__proto__',
          table: {
            options: { mergeParams: true },
            entries: [
              { kind: 'use', path: undefined, handlers: [{ takesError: false, action: { does: 'next' } }] },
            ],
          },
        },
      ],
    },
    [{ method: 'GET', url: '/%20' }],
  ],
];

describe('a random routing table, compared with Express', () => {
  proves('F-1-05 F-1-06 F-1-08 F-1-14 F-1-15 F-1-16 CVE-2026-9495');
  it('calls the same layers in the same order, with the same properties of the request', async function () {
    const time = Math.max(PROPERTY, pairs * 2);
    this.timeout(2 * time);
    console.log(`      ${pairs} pairs of table and request`);

    const requests = fc.array(asked, { minLength: REQUESTS, maxLength: REQUESTS });
    await fc.assert(
      fc.asyncProperty(table, requests, async (one, all) => {
        await expectSameRoad(express.Router, framework.Router, one, all);
      }),
      {
        examples: FOUND,
        interruptAfterTimeLimit: time,
        // Some more runs, because both routers throw for some tables, which then get no requests.
        numRuns: Math.ceil((pairs / REQUESTS) * 1.2),
      },
    );
  });
});
