/** An application that is loaded in this process, with its registrations. */
import type { HttpServer } from '../application/load';
import type { Registrations } from './registrations';
import type { Loaded } from './replace';
import type { LiveNode } from './tree';

export interface LiveApplication {
  /** The applications that are not mounted, at least one. The server calls the first. */
  readonly roots: readonly LiveNode[];
  /** The server; undefined if the application created none. */
  readonly server: HttpServer | undefined;
  readonly registrations: Registrations;
  readonly loaded: Loaded;
  /** The folder of the application's package. */
  readonly home: string;
  /** The file that was started. */
  readonly file: string;
}
