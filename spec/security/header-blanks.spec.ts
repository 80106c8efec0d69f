import { expect } from 'chai';
import nozomi from 'nozomi';
import { toFetch } from 'nozomi/fetch';
import { cpuOfAsync } from '../support/cost';

describe('a header value that begins with a blank', () => {
  it('is trimmed in linear time over fetch', async () => {
    const value = ` x${' '.repeat(100_000)}x\t`;
    const fetch = toFetch(nozomi().get('/', (_req, res) => void res.set('X-Query', value).end()));
    const res = await fetch('http://h/');
    expect(res.headers.get('X-Query')).to.equal(value.trim());

    const costs = [];
    for (let run = 0; run < 3; run++)
      costs.push(await cpuOfAsync(async () => void (await fetch('http://h/'))));
    // In quadratic time, it takes seconds.
    expect(Math.min(...costs)).to.be.below(200);
  });
});
