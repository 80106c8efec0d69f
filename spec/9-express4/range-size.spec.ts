/** `req.range` of Express 4 for a size that is no number. E4-E16 */
import { expect } from 'chai';
import nozomi4 from 'nozomi/4';
import request from 'supertest';

const express4 = require('express4') as typeof nozomi4;

const SIZES: readonly unknown[] = [
  Number.NaN,
  undefined,
  '100',
  Number.POSITIVE_INFINITY,
  -5,
  0,
  null,
  'x',
  1.5,
];
const FIELDS = [
  'bytes=70000-',
  'bytes=0-',
  'bytes=-5',
  'bytes=0-4',
  'bytes=a-b',
  'bytes=5-2',
  'bytes=',
  'bytes',
];

async function rangesOf(framework: typeof nozomi4, field: string): Promise<unknown> {
  const app = framework();
  app.use((req, res) => void res.json(SIZES.map((size) => req.range(size as number) ?? null)));
  return (await request(app).get('/').set('Range', field)).body;
}

describe('req.range() of Express 4', () => {
  for (const field of FIELDS) {
    proves('E4-E16');
    it(`returns for ${field} what range-parser 1.2 returns, whatever the size is`, async () => {
      expect(await rangesOf(nozomi4, field)).to.deep.equal(await rangesOf(express4, field));
    });
  }
});
