/** Express 4, bodies: the clauses E4-G of spec/express4.json with their applications. */
import { programScenarios } from '../../scenario/relay';

export default programScenarios('G');
