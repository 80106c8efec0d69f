/** Scenarios for Express 4, one for each clause E4-C of spec/express4.json: layers, and the order in which they run. */
import { programScenarios } from '../../parity/scenario/relay';

export default programScenarios('C');
