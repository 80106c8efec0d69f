/** Finds or installs the Node.js that serves: this one, a binary, or a version from the registry. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * @param wanted A version or its start (24, 24.11.1), or the path of a binary; default: the current Node.js.
 * @returns The path of a binary.
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

/** Installs a version below node_modules, where later runs find it. */
function install(version: string): string {
  const isWindows = process.platform === 'win32';
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
  const home = join(__dirname, '..', '..', 'node_modules', '.cache', `node-${version}`);
  const binary = join(home, 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node');
  if (existsSync(binary)) return binary;
  console.error(`installing Node.js ${version} …`);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), '{ "private": true }');
  execFileSync('npm', ['install', '--no-audit', '--no-fund', `${name}@${version}`], {
    cwd: home,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: isWindows,
  });
  return binary;
}
