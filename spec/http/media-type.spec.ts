import { createServer } from 'node:http';
import { expect } from 'chai';
import express from 'express';
import framework from 'nozomi';
import request from 'supertest';

/** @returns The Content-Type that `res.type(type)` and `res.send('')` send. */
async function typeSent(make: typeof framework, type: string): Promise<string | undefined> {
  const app = make();
  app.get('/', (_req, res) => {
    res.type(type).send('');
  });
  return (await request(createServer(app)).get('/')).headers['content-type'];
}

describe('res.type() with more types than its cache has', () => {
  proves('F-4.5-92 F-4.5-93 F-4.5-94');
  it('sends the same Content-Type from the cache and without it', async () => {
    const types = [
      'html',
      'json',
      '.txt',
      'text/plain',
      'text/html; charset=latin1',
      'image/png',
      'nothing-known',
    ];
    for (let i = 0; i < 150; i++) types.push(`text/x-made-up-${i}`);
    types.push(`text/plain; note=${'long'.repeat(50)}`, ...types.slice(0, 10));

    for (const type of types) {
      expect(await typeSent(framework, type), type).to.equal(await typeSent(express as never, type));
    }
  });
});
