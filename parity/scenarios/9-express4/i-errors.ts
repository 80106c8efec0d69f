/** Express 4, pages of errors and of nobody: the clauses E4-I, whose programs spec/express4.json holds. */
import { programScenarios } from '../../scenario/relay';

export default programScenarios('I');
