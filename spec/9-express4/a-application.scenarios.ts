/** Scenarios for Express 4, one for each clause E4-A of spec/express4.json: the module and the application. */
import { programScenarios } from '../../parity/scenario/relay';

export default programScenarios('A');
