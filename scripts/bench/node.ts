/** Finds the Node.js binary that runs the peers. Installs a version that is not there yet from npm. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { npmInstall } from '../../parity/harness/packages';

/**
 * @param wanted A version (`24`, `24.11.1`) or the path of a binary; default the Node.js of this process.
 * @returns The path of the binary.
 * @throws TypeError if `wanted` is neither a version nor an existing file.
 */
export function nodeOf(wanted: string | undefined): string {
  if (wanted === undefined) return process.execPath;
  if (!/^\d+(\.\d+){0,2}$/.test(wanted)) {
    if (existsSync(wanted)) return resolve(wanted);
    throw new TypeError(`--node: expected a version or the path of a binary, got "${wanted}"`);
  }
  if (wanted === process.versions.node || wanted === process.versions.node.split('.')[0])
    return process.execPath;
  return install(wanted);
}

export function versionOf(node: string): string {
  return execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1);
}

/** Installs a version of Node.js in node_modules/.cache, where later runs find it. */
function install(version: string): string {
  const isWindows = process.platform === 'win32';
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
  const home = join(__dirname, '..', '..', 'node_modules', '.cache', `node-${version}`);
  const binary = join(home, 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node');
  if (existsSync(binary)) return binary;
  console.error(`installing Node.js ${version} …`);
  npmInstall(home, [`${name}@${version}`]);
  return binary;
}
