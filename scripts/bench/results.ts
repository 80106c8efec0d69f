/** The results of the benchmark over HTTP. */
import type { Memory, Startup } from './http/processes';
import type { Row } from './table';

/** The contents of report/bench.json. */
export interface Results {
  /** Versions of Node.js and of the peers, by name. */
  node: string;
  versions: Record<string, string>;
  /** The options, and the machine. */
  command: string;
  machine: string;
  rows: Record<string, Row>;
  startup?: Record<string, Startup>;
  memory?: Record<string, Memory>;
}
