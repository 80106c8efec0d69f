/** Scenarios for Express 4, one for each clause E4-I of spec/express4.json: error pages and 404 pages. */
import { programScenarios } from '../../parity/scenario/relay';

export default programScenarios('I');
