/** Express 4, static files: the clauses E4-H, whose programs spec/express4.json holds. */
import { programScenarios } from '../../scenario/relay';

export default programScenarios('H');
