/** An application that runs in this process, with what was noted while it was loaded. */
import type { HttpServer } from '../application/load';
import type { Registrations } from './registrations';
import type { Loaded } from './replace';
import type { LiveNode } from './tree';

export interface LiveApplication {
  /** At least one; the first is what the server calls. */
  readonly roots: readonly LiveNode[];
  /** Undefined where the application made none. */
  readonly server: HttpServer | undefined;
  readonly registrations: Registrations;
  readonly loaded: Loaded;
  /** Folder of the application's package. */
  readonly home: string;
  /** The file that was started. */
  readonly file: string;
}
