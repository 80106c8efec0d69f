/** Express 4, the request: the clauses E4-E of spec/express4.json with their applications. */
import { programScenarios } from '../../scenario/relay';

export default programScenarios('E');
