/** Scenarios for Express 4, one for each clause E4-H of spec/express4.json: static files. */
import { programScenarios } from '../../parity/scenario/relay';

export default programScenarios('H');
