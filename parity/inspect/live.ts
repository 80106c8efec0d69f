/** An application that was loaded in this process, with its recorded registrations. */
import type { HttpServer } from '../implementations/load';
import type { Registrations } from './registrations';
import type { Loaded } from './replace';
import type { Sources } from './sources';
import type { LiveNode } from './tree';

export interface LiveApplication {
  /** The applications and routers that are not mounted; at least one. The one that the server calls is the first. */
  readonly roots: readonly LiveNode[];
  /** Undefined if the application created no server. */
  readonly server: HttpServer | undefined;
  readonly registrations: Registrations;
  readonly loaded: Loaded;
  /** The folder that contains the application's package.json. */
  readonly home: string;
  /** The file that starts the application. */
  readonly file: string;
  readonly sources: Sources;
}
