/** Compares ports, paths and times in the files of examples/cluster with server.js. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse, parseAllDocuments } from 'yaml';
import { ROOT } from '../support/code-blocks';

const read = (file: string) => readFileSync(join(ROOT, 'examples', 'cluster', file), 'utf8');

interface Deployment {
  spec: {
    template: { spec: { terminationGracePeriodSeconds: number; containers: [Container] } };
  };
}

interface Container {
  ports: [{ containerPort: number }];
  readinessProbe: { httpGet: { path: string; port: number } };
  livenessProbe: { httpGet: { path: string; port: number } };
  lifecycle: { preStop: { exec: { command: [string, string] } } };
}

interface Composed {
  services: { application: { stop_grace_period: string; healthcheck: { test: string[] } } };
}

/** The default deadline of nozomi/graceful, in milliseconds. */
const DEADLINE = 10_000;

describe('docs, examples/cluster', () => {
  const server = read('server.js');
  const [deployment] = parseAllDocuments(read('kubernetes.yaml')).map((document) => document.toJS());
  const { terminationGracePeriodSeconds, containers } = (deployment as Deployment).spec.template.spec;
  const [container] = containers;
  const composed = (parse(read('compose.yaml')) as Composed).services.application;

  for (const file of [
    'nginx.conf',
    'Caddyfile',
    'haproxy.cfg',
    'Dockerfile',
    'compose.yaml',
    'kubernetes.yaml',
  ])
    it(`docs/deployment.md shows ${file}`, () => {
      expect(readFileSync(join(ROOT, 'docs', 'deployment.md'), 'utf8')).to.include(`\n${read(file)}\`\`\``);
    });

  it('kubernetes.yaml probes paths and ports that server.js has', () => {
    for (const { httpGet } of [container.readinessProbe, container.livenessProbe]) {
      expect(server).to.include(`app.get('${httpGet.path}'`);
      expect(httpGet.port).to.equal(container.ports[0].containerPort);
    }
    expect(server).to.include(`PORT = '${container.ports[0].containerPort}'`);
  });

  it('kubernetes.yaml waits longer for a shutdown than server.js takes', () => {
    const sleep = Number(container.lifecycle.preStop.exec.command[1]);

    expect(terminationGracePeriodSeconds * 1000).to.be.above(sleep * 1000 + DEADLINE);
  });

  it('compose.yaml waits longer for a shutdown than server.js takes', () => {
    expect(Number.parseInt(composed.stop_grace_period, 10) * 1000).to.be.above(DEADLINE);
  });

  it('compose.yaml checks the health with node, on the port of the container', async () => {
    const [{ containerPort }] = container.ports;
    const [kind, program, option, code = ''] = composed.healthcheck.test;
    const health = createServer((req, res) => {
      res.writeHead(req.url === container.livenessProbe.httpGet.path ? 200 : 404).end();
    }).listen(0);
    await once(health, 'listening');
    const { port } = health.address() as AddressInfo;
    const exitCode = async () => {
      const here = code.replace(`localhost:${containerPort}/`, `localhost:${port}/`);
      const [status] = await once(spawn(process.execPath, ['-e', here]), 'exit');
      return status;
    };

    expect([kind, program, option]).to.deep.equal(['CMD', 'node', '-e']);
    expect(code).to.include(`localhost:${containerPort}/`);
    expect(await exitCode()).to.equal(0);
    health.close();
    health.closeAllConnections();
    expect(await exitCode()).to.equal(1);
  });

  it('nginx.conf keeps idle connections for less time than server.js, also during a shutdown', () => {
    const nginx = Number(/keepalive_timeout (\d+)s/.exec(read('nginx.conf'))?.[1]) * 1000;
    const idle = Number(/IDLE \?\? (\d+)/.exec(server)?.[1]);
    const kept = Number(/keepAliveTimeout = ([\d_]+)/.exec(server)?.[1]?.replace('_', ''));

    expect(nginx).to.be.above(0);
    expect(idle).to.be.above(nginx);
    expect(kept).to.be.above(nginx);
  });

  it('Dockerfile starts server.js with node, on the same port', () => {
    const dockerfile = read('Dockerfile');

    expect(dockerfile).to.match(/^CMD \["node", "server\.js"\]$/m);
    expect(dockerfile).to.include(`EXPOSE ${container.ports[0].containerPort}`);
  });
});
