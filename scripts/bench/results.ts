import type { Memory, Startup } from './http/processes';
import type { Row } from './table';

/** The contents of the file that `--json` names, by default report/bench.json. */
export interface Results {
  /** The version of the Node.js that ran the peers. */
  node: string;
  /** Versions of the frameworks, by name of the peer. Bare node:http has none. */
  versions: Record<string, string>;
  /** The command line that produced the results. */
  command: string;
  /** Processors, platform and architecture. */
  machine: string;
  rows: Record<string, Row>;
  startup?: Record<string, Startup>;
  memory?: Record<string, Memory>;
}
