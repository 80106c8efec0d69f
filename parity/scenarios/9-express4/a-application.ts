/** Express 4, the module and the application: the clauses E4-A, whose programs spec/express4.json holds. */
import { programScenarios } from '../../scenario/relay';

export default programScenarios('A');
