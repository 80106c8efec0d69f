/** The door `nozomi/parity`: what scenarios are made of, and the harness for programs. */

export { type ApplicationOptions, playApplication } from './application/application';
export { readHar, readRequests, type Traffic } from './application/traffic';
export { type Entry, readCatalogue } from './catalogue';
export type { Difference } from './compare';
export type { Exchange, Fate } from './exchange';
export { toHtml } from './html/html';
export type { Subject, Verdict } from './judge';
export { toJunit } from './junit';
export { type ParityOptions, type Report, runParity } from './parity';
export { formatReport, toJson } from './report';
export {
  aborted,
  del,
  get,
  head,
  onOneConnection,
  options,
  patch,
  pipelined,
  post,
  put,
  type Request,
  raw,
  request,
  type Step,
} from './request';
export { express3Scenario, type Kit, type Scenario, type ScenarioDefinition, scenario } from './scenario';
