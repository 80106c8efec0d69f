/** The files of examples/cluster have the same values as server.js. `npm run cluster` runs them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseAllDocuments } from 'yaml';
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

describe('docs: deployment', () => {
  const server = read('server.js');
  const [deployment] = parseAllDocuments(read('kubernetes.yaml')).map((document) => document.toJS());
  const { terminationGracePeriodSeconds, containers } = (deployment as Deployment).spec.template.spec;
  const [container] = containers;

  it('Kubernetes probes existing paths and ports of the server', () => {
    for (const { httpGet } of [container.readinessProbe, container.livenessProbe]) {
      expect(server).to.include(`app.get('${httpGet.path}'`);
      expect(httpGet.port).to.equal(container.ports[0].containerPort);
    }
    expect(server).to.include(`PORT = '${container.ports[0].containerPort}'`);
  });

  it('Kubernetes waits longer than the server takes to shut down', () => {
    const idle = Number(/IDLE \?\? (\d+)/.exec(server)?.[1]);
    const sleep = Number(container.lifecycle.preStop.exec.command[1]);
    /** The options of nozomi/graceful, in milliseconds. */
    const deadline = 10_000;

    expect(idle).to.be.above(0);
    expect(terminationGracePeriodSeconds * 1000).to.be.above(sleep * 1000 + idle + deadline);
  });

  it('nginx keeps idle connections for less time than the server, also during a shutdown', () => {
    const nginx = Number(/keepalive_timeout (\d+)s/.exec(read('nginx.conf'))?.[1]) * 1000;
    const idle = Number(/IDLE \?\? (\d+)/.exec(server)?.[1]);
    const kept = Number(/keepAliveTimeout = ([\d_]+)/.exec(server)?.[1]?.replace('_', ''));

    expect(nginx).to.be.above(0);
    expect(idle).to.be.above(nginx);
    expect(kept).to.be.above(nginx);
  });

  it('the container starts the server with node, on the same port', () => {
    const dockerfile = read('Dockerfile');

    expect(dockerfile).to.match(/^CMD \["node", "server\.js"\]$/m);
    expect(dockerfile).to.include(`EXPOSE ${container.ports[0].containerPort}`);
  });
});
