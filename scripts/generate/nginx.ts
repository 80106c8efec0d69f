// Records in fixtures/nginx/ how `gzip_static` of nginx serves compressed files. Needs nginx on the PATH. Run this script after
// a change to the requests in spec/2-resources/gzip-static.ts, then `npm run generate -- fixtures --index`.
//
//   npm run generate -- nginx            writes fixtures/nginx/gzip-static.json
//   npm run generate -- nginx --check    writes nothing; exit code 1 if the installed nginx responds differently
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { end, freePort, untilListening } from '../../parity/harness/processes';
import { temporaryFolder } from '../../parity/temporary-folder';
import { askForFiles, copySite, type Exchange, RECORDING } from '../../spec/2-resources/gzip-static';
import { programOf } from '../../spec/support/programs';
import { readIfThere } from '../document';
import { root, runGenerator } from './page';

runGenerator(async () => ({ [RECORDING]: format(await record()) }));

async function record(): Promise<readonly Exchange[]> {
  const [program, folder, port] = [programOf('nginx'), temporaryFolder('nginx'), await freePort()];
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr crit; events {}
    http {
      ${paths.map((one) => `${one}_temp_path ${folder}/${one};`).join(' ')}
      access_log off; types { text/javascript js; text/html html; text/plain txt; }
      server { listen 127.0.0.1:${port}; root ${copySite()}; gzip_static on; gzip_vary on; etag off; }
    }`,
  );
  const nginx = spawn(program, ['-p', folder, '-e', 'stderr', '-c', file], { stdio: 'inherit' });
  try {
    await untilListening(port, nginx);
    return await askForFiles(port);
  } finally {
    await end(nginx);
  }
}

/** Names the version that was recorded first, as long as newer versions respond in the same way. */
function format(exchanges: readonly Exchange[]): string {
  const lines = exchanges.map((one) => `    ${JSON.stringify(one)}`).join(',\n');
  const list = `  "exchanges": [\n${lines}\n  ]\n}\n`;
  const before = readIfThere(join(root, RECORDING));
  if (before?.endsWith(list)) return before;
  const about = 'What `gzip_static` of nginx sends of the files in site/.';
  const head = JSON.stringify({ about, recordedFrom: { nginx: versionOfNginx() } }, undefined, 2);
  return `${head.slice(0, -2)},\n${list}`;
}

function versionOfNginx(): string {
  const { stderr } = spawnSync(programOf('nginx'), ['-v'], { encoding: 'utf8' });
  return /nginx\/([\d.]+)/.exec(stderr)?.[1] ?? 'of unknown version';
}
