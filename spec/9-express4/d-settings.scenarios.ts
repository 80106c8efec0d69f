/** Scenarios for Express 4, one for each clause E4-D of spec/express4.json: settings. */
import { programScenarios } from '../../parity/scenario/relay';

export default programScenarios('D');
