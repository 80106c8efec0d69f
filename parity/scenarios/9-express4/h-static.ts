/** Express 4, static files: the clauses E4-H of spec/express4.json with their applications. */
import { programScenarios } from '../../scenario/relay';

export default programScenarios('H');
