/** Requests and responses without a socket, as packages for tests and hosts of functions make them. */
import { EventEmitter } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type RequestListener,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listenerOf } from '../transports/listener';
import type { Circumstance } from './circumstance';

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

export const LIGHT_MY_REQUEST: Circumstance = {
  what: 'light-my-request makes request and response, without a socket',
  needs: 'light-my-request',
  ...standIn(async (listener, { method, url, headers, body }) => {
    const inject = require('light-my-request') as typeof import('light-my-request').inject;
    const sent = await inject(listener as never, { method: method as 'GET', url, headers, payload: body });
    return { status: sent.statusCode, headers: sent.headers, body: sent.rawPayload };
  }),
  reasonNotPlayed: ({ section }, { exchanges }) => {
    // The package changes the prototypes of the framework for good.
    if (section === '4-endpoints/4.2-listen')
      return 'servers of the scenario, which light-my-request breaks for Express, too';
    return exchanges.some(({ response: { body } }) => body?.includes('(stack)'))
      ? 'stacks, whose length differs'
      : undefined;
  },
};

export const SERVERLESS_HTTP: Circumstance = {
  what: 'serverless-http makes request and response, for an event of AWS Lambda',
  needs: 'serverless-http',
  ...standIn(async (listener, { method, url, headers, body }) => {
    const serverless = require('serverless-http') as typeof import('serverless-http');
    const [path, query = ''] = url.split(/\?(.*)/s);
    const event = {
      version: '2.0',
      rawPath: path,
      rawQueryString: query,
      headers,
      requestContext: { http: { method, sourceIp: '127.0.0.1' } },
      body: body.toString('base64'),
      isBase64Encoded: true,
    };
    const sent = (await serverless(listener as never, { binary: true })(event, {})) as LambdaResult;
    return {
      status: sent.statusCode,
      headers: { ...sent.headers, ...(sent.cookies && { 'set-cookie': sent.cookies }) },
      body: Buffer.from(sent.body, sent.isBase64Encoded ? 'base64' : 'utf8'),
    };
  }),
};

export const NODE_MOCKS_HTTP: Circumstance = {
  what: 'node-mocks-http makes request and response, which are event emitters',
  needs: 'node-mocks-http',
  ...standIn(async (listener, { method, url, headers }) => {
    const mocks = require('node-mocks-http') as typeof import('node-mocks-http');
    const req = mocks.createRequest({
      method: method as 'GET',
      url,
      headers: headers as Record<string, string>,
    });
    const res = mocks.createResponse({ eventEmitter: EventEmitter, req });
    const ended = new Promise((resolve) => res.once('end', resolve));
    listener(req as never, res as never);
    await ended;
    const body = res._getBuffer();
    return {
      status: res._getStatusCode(),
      headers: res._getHeaders(),
      body: body.length > 0 ? body : Buffer.from(String(res._getData())),
    };
  }),
  // Some responses never end, with Express, too.
  patience: 1000,
  reasonNotPlayed: ({ scenario: { series } }, { exchanges }) => {
    if (series === '3.x') return 'middleware of Express 3, which is here in current versions';
    if (exchanges.some(({ request: { payload } }) => payload.length > 0))
      return 'a body, which the request of node-mocks-http does not send';
    return exchanges.some(({ response: { status = 0 } }) => status >= 400)
      ? 'a page of the final handler, which reads the state of the stream that a request is'
      : undefined;
  },
};

/** What this file reads from a result for AWS Lambda. */
interface LambdaResult {
  readonly statusCode: number;
  readonly headers: Answer['headers'];
  readonly cookies?: string[];
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

/** Serves an application through a package: the real server only passes on what the package has got from it. */
function standIn(
  ask: (listener: RequestListener, asked: Asked) => Promise<Answer>,
): Pick<Circumstance, 'serve'> {
  return {
    serve: (built) => {
      const listener = listenerOf(built);
      return createServer(async (req, res) => {
        const { method = '', url = '', headers } = req;
        try {
          const {
            status,
            headers: sent,
            body,
          } = await ask(listener, { method, url, headers, body: await buffer(req) });
          res.writeHead(status, sent).end(body);
        } catch (err) {
          // The package has refused the request, or its own code has failed.
          res.writeHead(599).end(String(err));
        }
      });
    },
  };
}
