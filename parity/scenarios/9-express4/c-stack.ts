/** Express 4, the walk through the stack: the clauses E4-C of spec/express4.json with their applications. */
import { programScenarios } from '../../scenario/relay';

export default programScenarios('C');
