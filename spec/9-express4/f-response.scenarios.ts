/** Scenarios for Express 4, one for each clause E4-F of spec/express4.json: the response. */
import { programScenarios } from '../../parity/scenario/relay';

export default programScenarios('F');
