// Bare node:http writing Express's header fields with constant values: the floor everything is compared with.
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import etag from 'etag';
import { RECORD, routeCount, workload } from '../workloads';

export function serve(name: string): Server | undefined {
  if (name.startsWith('static-')) return undefined;
  return http.createServer(handlerOf(name)).listen(0, '127.0.0.1');
}

type Handle = (req: IncomingMessage, res: ServerResponse) => void;

function handlerOf(name: string): Handle {
  const { answer, method, status } = workload(name);
  if (status === 404) return notFound;
  const type =
    name === 'json' || name === 'params' ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8';
  const length = String(Buffer.byteLength(answer));
  const tag = name === 'no-etag' ? undefined : etag(answer, { weak: true });
  const extra = name === 'headers' ? 12 : 0;

  const respond = (res: ServerResponse, body: string): void => {
    for (let i = 1; i <= extra; i++) res.setHeader(`X-Field-${i}`, `value ${i}`);
    res.setHeader('Content-Type', type);
    res.setHeader('Content-Length', length);
    if (tag) res.setHeader('ETag', tag);
    res.end(body);
  };
  if (method === 'POST') return (req, res) => readBody(req, name === 'form', () => respond(res, answer));
  if (name === 'json') return (_req, res) => respond(res, JSON.stringify(RECORD));
  if (routeCount(name)) return (_req, res) => respond(res, answer);
  return (_req, res) => respond(res, answer);
}

function readBody(req: IncomingMessage, isForm: boolean, done: () => void): void {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    const text = Buffer.concat(chunks).toString();
    if (isForm) new URLSearchParams(text);
    else JSON.parse(text);
    done();
  });
}

function notFound(_req: IncomingMessage, res: ServerResponse): void {
  res.statusCode = 404;
  res.setHeader('Content-Length', '0');
  res.end();
}
