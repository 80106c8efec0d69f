/** Express 4, views: the clauses E4-J of spec/express4.json with their applications. */
import { programScenarios } from '../../scenario/relay';

export default programScenarios('J');
