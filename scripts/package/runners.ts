/** Tests the package with Jest and Vitest, in a project that also has webpack. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run';

const HEAVY: readonly string[] = ['jest@30', 'vitest@4', 'webpack@5', 'supertest@7'];

const BODY = `
  const app = express();
  app.use(logger('tiny', { stream: { write() {} } }));
  app.get('/users/:id', (req, res) => res.json(req.params));
  test('an application sends a response to supertest', async () => {
    const answer = await request(app).get('/users/7').expect(200);
    expect(answer.body).toEqual({ id: '7' });
  });
  test('an object can inherit from express.response', () => {
    const res = Object.create(express.response);
    expect(typeof res.json).toBe('function');
  });
`;

/** Creates a project with the tarball installed as `express`, and the packages of `HEAVY` from the npm registry. */
export function installHeavy(home: string, tarball: string): void {
  writeFileSync(join(home, 'package.json'), '{ "private": true }');
  run('npm', ['install', '--no-audit', '--no-fund', `express@file:${tarball}`, ...HEAVY], home);
}

export function checkJest(home: string): void {
  const source = `
    const express = require('express');
    const logger = require('express/logger');
    const request = require('supertest');`;
  writeFileSync(join(home, 'app.jest.cjs'), source + BODY);
  run(bin(home, 'jest'), ['--rootDir', home, '--testRegex', 'app.jest.cjs', '--ci'], home);
}

export function checkVitest(home: string): void {
  const source = `
    import { expect, test } from 'vitest';
    import express from 'express';
    import logger from 'express/logger';
    import request from 'supertest';`;
  writeFileSync(join(home, 'app.test.mjs'), source + BODY);
  run(bin(home, 'vitest'), ['run', '--root', home, 'app.test.mjs'], home);
}

function bin(home: string, name: string): string {
  return join(home, 'node_modules', '.bin', name);
}
