/** Entry point `nozomi-parity`: functions to define scenarios, to play them and to format the report. */

export { type ApplicationOptions, playApplication } from './application/application';
export { readHar, readRequests, type Traffic } from './application/traffic';
export type { ConnectionOutcome, Exchange, Request } from './client/messages';
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
  raw,
  request,
  type Step,
} from './client/request';
export type { Divergence } from './divergences/divergence';
export type { Observer } from './implementations/observe';
export type { Implementation } from './implementations/protocol';
export type { Difference } from './judge/compare';
export type { Subject, Verdict } from './judge/judge';
export type { LeftOut, PathTiming, Report, Timing } from './judge/report';
export { type ParityOptions, runParity } from './parity';
export { toHtml } from './report/html/html';
export { toJunit } from './report/junit';
export { formatReport, toJson } from './report/terminal';
export { type Entry, readCatalogue } from './scenario/catalogue';
export {
  express3Scenario,
  type Kit,
  type Scenario,
  type ScenarioDefinition,
  scenario,
} from './scenario/scenario';
