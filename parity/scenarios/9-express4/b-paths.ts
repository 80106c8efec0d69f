/** Express 4, paths of routes and mounts: the clauses E4-B of spec/express4.json with their applications. */
import { programScenarios } from '../../scenario/relay';

export default programScenarios('B');
