/** Express 4, settings: the clauses E4-D of spec/express4.json with their applications. */
import { programScenarios } from '../../scenario/relay';

export default programScenarios('D');
