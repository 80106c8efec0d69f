/**
 * The frames of stack traces that packages read: express-rate-limit reports a limiter that was created in a handler, which
 * it recognises by the frame `Layer.handleRequest` of Express 5, or `Layer.handle [as handle_request]` of Express 4.
 */
import { expect } from 'chai';
import express from 'express';
import nozomi from 'nozomi';
import nozomi4 from 'nozomi/4';
import request from 'supertest';

const express4 = require('express4') as typeof nozomi4;

type Framework = typeof nozomi;

/** Returns the frames of a stack trace as V8 prints them: Node.js shortens the names if it uses a source map. */
function frames(): string[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  // The default of ten frames is too few for errors in Express. mocha sets no limit, except in the processes of --parallel.
  Error.stackTraceLimit = 50;
  Error.prepareStackTrace = (_error, sites) => sites.map(String);
  try {
    // A cast, because of the line above.
    return new Error().stack as unknown as string[];
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  }
}

/** Returns the frames of layers above which a handler runs, for each kind of handler. */
async function layerFramesOf(framework: Framework): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  const note = (name: string): void => {
    found[name] = frames().flatMap((frame) => /^(Layer\..*) \(/.exec(frame)?.[1] ?? []);
  };
  const noting = (name: string): nozomi.RequestHandler => {
    return (_req, res) => {
      note(name);
      res.end();
    };
  };
  const app = framework();
  app.use((_req, _res, next) => next());
  app.get('/route', noting('route'));
  app.get('/second', (_req, _res, next) => next(), noting('second'));
  app.get('/param/:a', noting('param'));
  app.use('/use', noting('use'));
  app.use('/router', framework.Router().get('/a', noting('router')));
  app.use('/sub', framework().get('/a', noting('sub')));
  app.get('/error', (_req, _res, next) => next(new Error('failed')));
  app.use(((_err, _req, res, _next) => {
    note('error');
    res.end();
  }) as nozomi.ErrorRequestHandler);
  for (const path of ['route', 'second', 'param/7', 'use', 'router/a', 'sub/a', 'error'])
    await request(app).get(`/${path}`).expect(200);
  return found;
}

describe('stack traces', () => {
  for (const [name, ours, theirs, frame] of [
    ['Express 5', nozomi, express, 'Layer.handleRequest'],
    ['Express 4', nozomi4, express4, 'Layer.handle [as handle_request]'],
  ] as const) {
    it(`show the frames of layers under the names of ${name}, as near to the top`, async () => {
      const [ownFrames, expressFrames] = [
        await layerFramesOf(ours as Framework),
        await layerFramesOf(theirs as unknown as Framework),
      ];

      for (const [handler, frames] of Object.entries(expressFrames)) {
        expect(frames, handler).to.include(frame);
        // Further down, a trace of ten frames shows fewer or more of them.
        expect(ownFrames[handler]?.[0], handler).to.equal(frames[0]);
        expect(ownFrames[handler], handler).to.include(frame);
      }
    });
  }
});
