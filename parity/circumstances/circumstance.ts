/** What stands around a scenario: built-in objects, modules, the shape of its application, and how its client sends. */
import type { Server } from 'node:http';
import type { Exchange } from '../client/messages';
import type { Observation } from '../implementations/protocol';
import type { Entry } from '../scenario/catalogue';
import type { AnyKit, Built } from '../scenario/scenario';

export type Framework = AnyKit['framework'];

/** Restores what a circumstance has replaced. */
export type Restore = () => void;

/** What a circumstance knows about the scenario that is served. */
export interface Scene {
  /** The framework that is compared. */
  readonly framework: Framework;
  /** The Express of the same series. */
  readonly express: () => Framework;
  /** Writes a line to the standard output of the scenario. */
  print(line: string): void;
  /** Calls a function before the server closes. */
  atClose(work: () => Promise<void> | void): void;
}

/**
 * All members but the first two act in the process of the implementation, in this order. Each replaces for the time of
 * one scenario, except `beforeLoading`.
 */
export interface Circumstance {
  /** What stands around, as a sentence: `a function wraps the application`. */
  readonly what: string;
  /** The package that it needs, which nozomi-parity does not install. */
  readonly needs?: string;
  /** How the client sends the requests; default: as the scenario says. */
  readonly client?: Client;
  /** The value of `X-Powered-By` in the responses; default: that of the implementation. */
  readonly identity?: string;
  /** Runs before framework and logger are loaded. */
  beforeLoading?(): void;
  /** Makes the framework that `build` of the scenario receives. */
  framework?(scene: Scene): Framework;
  /** Runs before the application is built, with its modules loaded. */
  beforeBuilding?(scene: Scene): Restore;
  /** Returns the listener or server to serve instead of what the scenario built. */
  serve?(built: Built, scene: Scene): Built;
  /** Runs when the server listens. */
  afterListening?(server: Server, scene: Scene): Restore | undefined;
  /**
   * Finds the reason why a scenario is not played.
   *
   * @param recorded What Express sends without the circumstance.
   */
  reasonNotPlayed?(entry: Entry, recorded: Observation): string | undefined;
  /** Returns an exchange without what varies from run to run. */
  fold?(this: void, exchange: Exchange): Exchange;
  /** Matches lines of standard error that are not compared. */
  readonly hides?: RegExp;
  /** How many milliseconds the client waits for a response; default: as the scenario says. */
  readonly patience?: number;
}

/** How the client sends the requests of a scenario. */
export interface Client {
  /** How many times each request is sent, without waiting for a response; default 1. */
  readonly times?: number;
  /** Where requests are cut into packets: before each byte, or after the head; default: nowhere. */
  readonly cut?: 'bytes' | 'head';
  /** When the client disconnects: with the request sent, or with the head of the response received; default: never. */
  readonly leaves?: 'sent' | 'head';
}
