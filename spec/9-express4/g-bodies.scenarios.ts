/** Scenarios for Express 4, one for each clause E4-G of spec/express4.json: bodies. */
import { programScenarios } from '../../parity/scenario/relay';

export default programScenarios('G');
