/** morgan with the seeded faults. */
import type { Handler } from 'express';
import morgan from 'morgan';
import { FAULTS } from './faults';

function logger(format: string, options: { stream: { write(line: string): void } }): Handler {
  return (req, res, next) => {
    const change = FAULTS[req.headers['x-fault'] as string]?.logger ?? ((line: string) => line);
    const stream = { write: (line: string) => options.stream.write(change(line)) };
    morgan(format, { stream })(req, res, next);
  };
}

module.exports = Object.assign(logger, morgan);
