/** Express 4, error pages and 404 pages: the clauses E4-I, whose programs spec/express4.json holds. */
import { programScenarios } from '../../scenario/relay';

export default programScenarios('I');
