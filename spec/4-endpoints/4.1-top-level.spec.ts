import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import express from 'express';
import framework from 'nozomi';
import request from 'supertest';

type Members = Record<string, unknown>;

proves('F-4.1-01');
describe('framework()', () => {
  it('returns a request listener that is also an event emitter', () => {
    const app = framework();

    expect(framework).to.have.length(0);
    expect(app).to.be.a('function').with.length(3);
    expect(app.on).to.equal(EventEmitter.prototype.on);
    expect(app(...argumentsWithoutClient())).to.equal(undefined);
  });

  it('returns an application with exactly the own members of an Express application', () => {
    const [ours, theirs] = [framework(), express()].map((app) => Object.keys(app).sort());

    expect(ours).to.deep.equal(theirs);
  });

  for (const name of ['application', 'request', 'response'] as const) {
    it(`framework.${name} has the members of Express, with the same kinds of properties`, () => {
      const [ours, theirs] = [framework, express].map((one) => describeMembers(one[name]));
      // Express leaves these methods to the prototypes of Node.js.
      const own: Partial<Record<typeof name, string>> = { request: '_dump', response: 'writeEarlyHints' };
      const { [name]: method } = own;

      expect(ours).to.deep.equal({
        ...theirs,
        ...(method ? { [method]: 'function false,true,true,false' } : {}),
      });
    });
  }

  it('an application calls handle, init and defaultConfiguration if they are overridden', async () => {
    const { application } = framework as unknown as { application: Members };
    const { defaultConfiguration } = application as { defaultConfiguration: () => void };
    application.defaultConfiguration = function (this: framework.Application) {
      defaultConfiguration.call(this);
      this.set('configured', true);
    };
    const app = framework();
    application.defaultConfiguration = defaultConfiguration;
    Object.assign(app, { handle: (_req: unknown, res: framework.Response) => res.end('handled') });

    expect(app.get('configured')).to.equal(true);
    await request(app).get('/').expect('handled');
  });

  it('members added to framework.application exist on applications created later', () => {
    const { application } = framework as unknown as { application: Members };
    application.shout = () => 'loud';
    const app = framework() as unknown as { shout(): string };
    delete application.shout;

    expect(app.shout()).to.equal('loud');
    expect(framework()).not.to.have.property('shout');
  });
});

describe('framework.Router()', () => {
  proves('F-4.1-07');
  it('framework.Route is also a property of framework.Router', () => {
    const { Route, Router } = framework as unknown as { Route: unknown; Router: { Route: unknown } };

    expect(Router.Route).to.equal(Route);
  });
});

function describeMembers(target: object): Record<string, string> {
  const members = Object.entries(Object.getOwnPropertyDescriptors(target)).map(([name, member]) => {
    const kind = member.get ? 'accessor' : typeof member.value;
    const flags = [member.enumerable, member.configurable, member.writable, Boolean(member.set)];
    return [name, `${kind} ${flags}`] as const;
  });
  return Object.fromEntries(members);
}

/** @returns The arguments of a call of an application: a request and a response without a client. */
function argumentsWithoutClient(): Parameters<ReturnType<typeof framework>> {
  const res = { setHeader() {}, getHeader() {} };
  return [{ url: '/', method: 'GET' }, res, () => undefined] as never;
}
