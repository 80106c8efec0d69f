// Starts the demo. For Express 5 and morgan, change the two imports below; no other file imports them.
//
//   PORT             default 3000; 0 takes any free port
//   COOKIE_SECRET    default: made up at each start, so cookies end with the program
//   OFFICE_PASSWORD  default while developing: nozomi; in production without one the office stays closed
//   NODE_ENV         production hides stacks
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
    console.log(`The office, ${url}/office, lets in ${STATION_MASTER} with ${password}`);
  console.log(`The last parity run, if there was one: ${url}/parity-report`);
  console.log('Ctrl-C closes it.');
});
