/** Scenarios for Express 4, one for each clause E4-E of spec/express4.json: the request. */
import { programScenarios } from '../../scenario/relay';

export default programScenarios('E');
