// The example of docs/static-files.md. It compresses the files of a directory, as a build does, and serves them.
const { mkdtempSync, readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { brotliCompressSync, gzipSync } = require('node:zlib');
const nozomi = require('nozomi');

const root = mkdtempSync(join(tmpdir(), 'site-'));
writeFileSync(join(root, 'app.js'), 'console.log("hello");\n'.repeat(100));
for (const name of readdirSync(root)) {
  const content = readFileSync(join(root, name));
  writeFileSync(join(root, `${name}.br`), brotliCompressSync(content));
  writeFileSync(join(root, `${name}.gz`), gzipSync(content));
}

const app = nozomi();
app.use(nozomi.static(root, { preCompressed: true }));

app.listen(process.env.PORT ?? 3000);
