/** Scenarios for Express 4, one for each clause E4-E of spec/express4.json: the request. */
import { programScenarios } from '../../parity/scenario/relay';

export default programScenarios('E');
