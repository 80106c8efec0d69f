/** Express 4, the response: the clauses E4-F of spec/express4.json with their applications. */
import { programScenarios } from '../../scenario/relay';

export default programScenarios('F');
