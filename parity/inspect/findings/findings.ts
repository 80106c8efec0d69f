import type { LiveApplication } from '../live';
import type { Finding } from '../model';
export async function findAll(_application: LiveApplication): Promise<Finding[]> {
  return [];
}
