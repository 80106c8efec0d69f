/** Express 4, the walk through the stack: the clauses E4-C, whose programs spec/express4.json holds. */
import { programScenarios } from '../../scenario/relay';

export default programScenarios('C');
