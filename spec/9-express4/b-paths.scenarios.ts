/** Scenarios for Express 4, one for each clause E4-B of spec/express4.json: paths of routes and mounts. */
import { programScenarios } from '../../parity/scenario/relay';

export default programScenarios('B');
