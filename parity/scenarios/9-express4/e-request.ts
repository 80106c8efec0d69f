/** Express 4, the request: the clauses E4-E, whose programs spec/express4.json holds. */
import { programScenarios } from '../../scenario/relay';

export default programScenarios('E');
