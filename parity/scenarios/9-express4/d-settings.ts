/** Express 4, settings: the clauses E4-D, whose programs spec/express4.json holds. */
import { programScenarios } from '../../scenario/relay';

export default programScenarios('D');
