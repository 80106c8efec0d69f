// Starts workerd, and passes the messages of the parent process to its entry point `control` as requests, because
// workerd has no IPC channel. Arguments: the implementation as JSON.
const { spawn } = require('node:child_process');
const { createInterface } = require('node:readline');

const [spec] = process.argv.slice(2);
const { binary, config } = JSON.parse(spec).runtime.workerd;
const env = { SPEC: spec, ENV: JSON.stringify(process.env) };
const child = spawn(binary, ['serve', config, '--control-fd=3'], {
  env,
  stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
});
child.on('exit', (code) => process.exit(code ?? 1));
process.on('exit', () => child.kill('SIGKILL'));
process.on('disconnect', () => process.exit());
process.on('SIGTERM', () => process.exit());

const ports = {};
createInterface({ input: child.stdio[3] }).on('line', (line) => {
  const { socket, port } = JSON.parse(line);
  ports[socket] = port;
  if (ports.http && ports.control) process.send({ type: 'ready' });
});

process.on('message', async (message) => {
  const response = await fetch(`http://127.0.0.1:${ports.control}`, {
    method: 'POST',
    body: JSON.stringify(message),
  });
  const reply = JSON.parse(await response.text());
  process.send(reply.type === 'opened' ? { ...reply, port: ports.http } : reply);
});
