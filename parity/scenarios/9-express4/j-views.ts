/** Express 4, views: the clauses E4-J, whose programs spec/express4.json holds. */
import { programScenarios } from '../../scenario/relay';

export default programScenarios('J');
