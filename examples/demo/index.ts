// Starts the demo. To use Express 5 and morgan, change the imports of the framework and the logger below: only this
// file imports them.
//
// Environment variables:
// - PORT: default 3000; 0 selects a free port
// - COOKIE_SECRET: default a random value at each start, which makes older cookies invalid
// - OFFICE_PASSWORD: default nozomi; in production there is no default, and the office stays closed
// - NODE_ENV: default development, the only value for which error pages show stacks
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import framework from 'nozomi';
import logger from 'nozomi/logger';
import { createApp } from './app';
import { STATION_MASTER } from './pages/office';
import { openLog } from './program/access-log';
import { readPort } from './program/port';
import { serve } from './program/serve';

const env = process.env.NODE_ENV || 'development';
const port = readPort(process.env.PORT);
const log = openLog(join(__dirname, 'logs', 'access.log'));
const password = process.env.OFFICE_PASSWORD || (env === 'production' ? undefined : 'nozomi');

const app = createApp({
  framework,
  logger,
  accessLog: log,
  terminalLog: process.stdout,
  now: () => new Date(),
  secret: process.env.COOKIE_SECRET || randomBytes(32).toString('hex'),
  ...(password === undefined ? {} : { officePassword: password }),
  env,
  parityReport: join(__dirname, '..', '..', 'report', 'parity.html'),
  report: console.error,
});

serve(app, port, (url) => {
  console.log(`The station desk is open at ${url}`);
  if (env !== 'production')
    console.log(`The office: ${url}/office, user ${STATION_MASTER}, password ${password}`);
  console.log(`The report of the last parity run: ${url}/parity-report`);
  console.log('Ctrl-C stops the server.');
});
