/** Express 4, the module and the application: the clauses E4-A of spec/express4.json with their applications. */
import { programScenarios } from '../../scenario/relay';

export default programScenarios('A');
