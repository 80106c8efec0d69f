// The demo application on the built package, with a fixed clock and logs in memory.
import framework from 'nozomi';
import logger from 'nozomi/logger';
import { createApp, type DemoOptions } from '../../examples/demo/app';

export const OFFICE = ['stationmaster', 'tea'] as const;

export interface Demo {
  readonly app: ReturnType<typeof createApp>;
  readonly access: string[];
  readonly terminal: string[];
  readonly reported: unknown[];
}

export function openDemo(changes: Partial<DemoOptions> = {}): Demo {
  const access: string[] = [];
  const terminal: string[] = [];
  const reported: unknown[] = [];
  const app = createApp({
    framework,
    logger,
    accessLog: { write: (line) => access.push(line) },
    terminalLog: { write: (line) => terminal.push(line) },
    now: () => new Date('2026-04-04T05:05:00Z'),
    secret: 'platform nine',
    officePassword: OFFICE[1],
    pace: 1,
    report: (error) => reported.push(error),
    ...changes,
  });
  return { app, access, terminal, reported };
}
