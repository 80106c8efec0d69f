import { expect } from 'chai';
import express from 'express';
import framework from 'nozomi';

describe('app.param() and router.param(), rule 9', () => {
  proves('F-1-47');
  it('a callback that calls next twice throws where Express throws', () => {
    for (const path of ['/:id/:x', '/:x/:id', '/:id']) {
      const [ours, theirs] = [framework as unknown as typeof express, express].map((make) => {
        const seen: unknown[] = [];
        const router = make.Router();
        router.param('id', (_req, _res, next) => {
          next();
          next();
        });
        router.get(path, () => void seen.push('handler'));
        try {
          router({ method: 'GET', url: path } as never, {} as never, (err: unknown) => void seen.push(err));
        } catch (err) {
          seen.push(String(err));
        }
        return seen;
      });

      expect(ours, path).to.deep.equal(theirs);
    }
  });
});
