/** Says whether the setting `own connection` takes effect. docs/performance.md#requests-that-nozomi-reads-itself */
import http, { Server } from 'node:http';
import type { LiveApplication } from './live';
import type { OwnConnection } from './model';
import { isApplication } from './registrations';

/** The server options with which Nozomi leaves connections to the parser of Node.js. */
const OPTIONS = ['maxHeaderSize', 'insecureHTTPParser', 'httpValidation', 'joinDuplicateHeaders'] as const;
/** Bytes; with a lower `--max-http-header-size`, Nozomi leaves connections to the parser of Node.js. */
const MIN_HEADER_SIZE = 16_384;

/** Whether Nozomi reads the requests of the server itself, and why, or why not; undefined without a server. */
export function ownConnectionOf({
  server,
  roots,
}: Pick<LiveApplication, 'server' | 'roots'>): OwnConnection | undefined {
  const [root] = roots;
  const app = root?.application;
  if (!server || !app) return undefined;
  const { NOZOMI_CONNECTION: variable } = process.env;
  const setting = app.settings['own connection'];
  const off = (why: string): OwnConnection => ({ isOn: false, why });
  if (variable === 'node') return off('NOZOMI_CONNECTION is node');
  if (setting === false) return off('the application disables the setting');
  if (setting === undefined && variable !== 'own')
    return off('neither the setting nor NOZOMI_CONNECTION turns it on, which is the default');
  if (!(server instanceof Server)) return off('the server is none of node:http');
  const [listener] = server.listeners('request');
  if (!isApplication(listener)) return off('a function calls the application');
  const option = OPTIONS.find((name) => Reflect.get(server, name));
  if (option) return off(`the server has the option ${option}`);
  if (server.maxHeadersCount !== null) return off('the server has the property maxHeadersCount');
  if (http.maxHeaderSize < MIN_HEADER_SIZE) return off('--max-http-header-size is low');
  return {
    isOn: true,
    why: setting === true ? 'the application enables the setting' : 'NOZOMI_CONNECTION is own',
  };
}
