/** The implementation with seeded faults, and its scenarios. */
import { join } from 'node:path';
import type { Implementation } from '../../../parity/implementations/protocol';
import type { Entry } from '../../../parity/scenario/catalogue';
import scenarios from './scenarios';

export const FAULTY: Implementation = {
  name: 'faulty',
  framework: join(__dirname, 'framework.ts'),
  logger: join(__dirname, 'logger.ts'),
  identity: 'Faulty',
  follows: 'document',
};

export const ENTRIES: readonly Entry[] = scenarios.map((scenario) => ({
  id: `faulty: ${scenario.name}`,
  section: 'faulty',
  file: join(__dirname, 'scenarios.ts'),
  scenario,
}));
