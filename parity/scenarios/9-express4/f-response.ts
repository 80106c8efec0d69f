/** Express 4, the response: the clauses E4-F, whose programs spec/express4.json holds. */
import { programScenarios } from '../../scenario/relay';

export default programScenarios('F');
