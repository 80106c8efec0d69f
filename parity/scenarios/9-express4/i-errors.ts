/** Express 4, error pages and 404 pages: the clauses E4-I of spec/express4.json with their applications. */
import { programScenarios } from '../../scenario/relay';

export default programScenarios('I');
