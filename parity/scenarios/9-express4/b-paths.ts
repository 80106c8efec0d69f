/** Express 4, paths of routes and mounts: the clauses E4-B, whose programs spec/express4.json holds. */
import { programScenarios } from '../../scenario/relay';

export default programScenarios('B');
