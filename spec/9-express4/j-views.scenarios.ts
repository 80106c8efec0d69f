/** Scenarios for Express 4, one for each clause E4-J of spec/express4.json: views. */
import { programScenarios } from '../../parity/scenario/relay';

export default programScenarios('J');
