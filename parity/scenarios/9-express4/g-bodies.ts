/** Express 4, bodies: the clauses E4-G, whose programs spec/express4.json holds. */
import { programScenarios } from '../../scenario/relay';

export default programScenarios('G');
