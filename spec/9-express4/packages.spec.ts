/**
 * Compares `nozomi/4` with Express 4 and its own packages, with unusual headers, targets, bodies and arguments. In place
 * of many of these packages, `nozomi/4` has the newer versions that Express 5 depends on, or code of its own.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import nozomi from 'nozomi/4';
import { setFileTimes } from '../../parity/scenario/file-times';
import { type Bytes, muteDeprecations, play } from '../support/both';
import { bodyAreas } from './packages/bodies';
import { type Area, FILES, type Framework } from './packages/cases';
import { fileArea } from './packages/files';
import { requestAreas } from './packages/request';
import { responseAreas } from './packages/response';

const express = require('express4') as Framework;
const root = join(tmpdir(), `packages-${process.pid}`);

/** The number of differences that a failure shows. */
const SHOWN = 5;
/** The number of connections at a time. */
const LANES = 8;

describe('nozomi/4 beside Express 4 and its own packages', () => {
  const { error } = console;

  muteDeprecations();
  before(async () => {
    await setFileTimes();
    // In production, Express prints unhandled errors.
    console.error = () => undefined;
    cpSync(FILES, root, { recursive: true, preserveTimestamps: true });
    for (const name of ['.hidden', '.dir/x', '.dir/.x', 'dir/.hidden', '.well-known/x']) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), name);
    }
  });
  after(() => {
    console.error = error;
    rmSync(root, { recursive: true });
  });

  for (const area of [...requestAreas, ...bodyAreas, ...responseAreas, fileArea(root)]) {
    it(`${area.packages}: ${area.requests.length} requests get the same responses`, async () => {
      const differences = await compare(area);

      expect(differences.slice(0, SHOWN), `${differences.length} differences`).to.deep.equal([]);
    });
  }
});

/** @returns The requests with different responses, each with the first line that differs. */
async function compare({ build, requests }: Area): Promise<Array<Record<string, unknown>>> {
  const [expected, actual] = await Promise.all(
    [express, nozomi].map((framework) => playInLanes(build(framework as Framework), requests)),
  );
  return requests.flatMap(({ bytes }, index) => {
    const [former, latter] = [expected, actual].map((all) => all?.[index]?.join('\n').split('\n') ?? []);
    const line = former?.findIndex((text, position) => text !== latter?.[position]) ?? -1;
    if (line === -1) return [];
    return [{ request: bytes?.toString('latin1'), express4: former?.[line], nozomi: latter?.[line] }];
  });
}

/** Plays the requests over several connections at a time. */
async function playInLanes(listener: RequestListener, requests: Area['requests']): Promise<Bytes[]> {
  const length = Math.ceil(requests.length / LANES);
  const lanes = Array.from({ length: LANES }, (_none, lane) =>
    requests.slice(lane * length, (lane + 1) * length),
  );
  return (await Promise.all(lanes.map((lane) => play(listener, lane)))).flat();
}
