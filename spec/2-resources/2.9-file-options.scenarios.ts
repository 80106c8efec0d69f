/** Scenarios for the options of res.sendFile() and res.download(). §2.9 */
import type { Response } from 'express';
import type { Expected, Request } from '../../parity/client/messages';
import { get } from '../../parity/client/request';
import { expectGets, routeEach, routes } from '../../parity/scenario/routes';
import { type Kit, type Scenario, scenario } from '../../parity/scenario/scenario';

type Table<Name extends string> = Readonly<Record<Name, Readonly<Record<string, unknown>>>>;

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/**
 * Creates a scenario that passes each row of `table` as options to `res.sendFile` and to `res.download`.
 *
 * @param expected What is expected of both responses without a range, by name of the row. A text is the expected
 *   Cache-Control.
 */
function options<Name extends string>(
  name: string,
  [sent, saved]: readonly [string[], string[]],
  table: Table<Name>,
  expected: Partial<Record<NoInfer<Name>, Expected | string>> = {},
  path = 'shelf/letters.txt',
  more: Partial<Pick<Scenario, 'patience' | 'env'>> = {},
  ranges: Partial<Record<NoInfer<Name>, Expected>> = {},
) {
  const names = Object.keys(table) as Name[];
  const of = (one: Name): Expected => {
    const given = expected[one] ?? {};
    return typeof given === 'string' ? { status: 200, 'cache-control': given } : given;
  };
  const build = (kit: Kit) => {
    const given = (some: object) => ({ root: kit.files, ...some });
    return routes({
      ...routeEach(table, (res: Response, some) => res.sendFile(path, given(some))),
      ...Object.fromEntries(
        names.map((one) => [
          `/download/${one}`,
          (_req: unknown, res: Response) => res.download(path, 'saved.txt', given(table[one] ?? {})),
        ]),
      ),
    })(kit);
  };
  const requests: Request[] = [
    ...names.map((one) => get(`/${one}`).expect(of(one))),
    ...names.map((one) => get(`/download/${one}`).expect(of(one))),
    ...names.map((one) => get(`/${one}`, { Range: 'bytes=2-3' }).expect(ranges[one] ?? {})),
  ];
  return scenario({ name, clauses: [...sent, ...saved], build, requests, ...more });
}

export default [
  options(
    'res.sendFile reads maxAge in milliseconds or words and limits it to a year',
    [
      ['F-2.9-01', 'F-2.9-02', 'F-2.9-03', 'F-8-04'],
      ['F-2.9-15', 'F-2.9-16', 'F-2.9-17'],
    ],
    {
      none: {},
      number: { maxAge: 90_000 },
      fraction: { maxAge: 1999 },
      words: { maxAge: '2 days' },
      short: { maxAge: '1h' },
      digits: { maxAge: '5000' },
      year: { maxAge: '2y' },
      infinite: { maxAge: Number.POSITIVE_INFINITY },
      negative: { maxAge: -1000 },
      nonsense: { maxAge: 'soon' },
      null: { maxAge: null },
      alias: { maxage: 60_000 },
    },
    {
      none: 'public, max-age=0',
      number: 'public, max-age=90',
      fraction: 'public, max-age=1',
      words: 'public, max-age=172800',
      infinite: 'public, max-age=31536000',
    },
  ),
  options(
    'res.sendFile options cacheControl and immutable change Cache-Control',
    [
      ['F-2.9-13', 'F-2.9-14'],
      ['F-2.9-28', 'F-2.9-29'],
    ],
    {
      none: {},
      off: { cacheControl: false },
      'off-age': { cacheControl: false, maxAge: 1000, immutable: true },
      immutable: { immutable: true },
      'immutable-age': { immutable: true, maxAge: '1d' },
      own: { headers: { 'Cache-Control': 'private' } },
    },
    {
      off: { status: 200, 'cache-control': undefined },
      'off-age': { status: 200, 'cache-control': undefined },
      'immutable-age': 'public, max-age=86400, immutable',
      own: 'private',
    },
  ),
  options(
    'res.sendFile omits Last-Modified and Accept-Ranges if their options are false',
    [
      ['F-2.9-05', 'F-2.9-06', 'F-2.9-11', 'F-2.9-12'],
      ['F-2.9-19', 'F-2.9-20', 'F-2.9-26', 'F-2.9-27'],
    ],
    {
      none: {},
      undated: { lastModified: false },
      whole: { acceptRanges: false },
      bare: { lastModified: false, acceptRanges: false, cacheControl: false, etag: false },
    },
    {
      none: { 'last-modified': 'Thu, 29 Feb 2024 12:00:00 GMT', 'accept-ranges': 'bytes' },
      undated: { status: 200, 'last-modified': undefined },
      whole: { status: 200, 'accept-ranges': undefined },
    },
    undefined,
    undefined,
    {
      none: { status: 206, 'accept-ranges': 'bytes', body: 'cd' },
      whole: { status: 200, 'accept-ranges': undefined, body: LETTERS },
    },
  ),
  options(
    'res.sendFile sends the option headers with the file',
    [['F-2.9-07'], ['F-2.9-21', 'F-2.9-22']],
    {
      some: { headers: { 'X-Own': 'yes', 'x-list': ['a', 'b'], 'X-Number': 7 } },
      type: { headers: { 'Content-Type': 'text/x-own' } },
      disposition: { headers: { 'Content-Disposition': 'inline', 'CONTENT-DISPOSITION': 'x' } },
      etag: { headers: { ETag: '"own"', 'Last-Modified': 'Thu, 01 Jan 1970 00:00:00 GMT' } },
      null: { headers: null },
      empty: { headers: {} },
    },
    {
      some: { 'x-own': 'yes', 'x-list': ['a', 'b'], 'x-number': '7' },
      type: { 'content-type': 'text/x-own' },
    },
  ),
  // Setting the header throws after the handler has returned. With Express the error is uncaught, and the client gets
  // no response.
  options(
    'res.sendFile does not send a header with a line break',
    [['F-2.9-07'], ['F-2.9-21']],
    { injected: { headers: { 'X-Bad': 'a\r\nX-Worse: b' } } },
    {},
    undefined,
    { patience: 800, env: { NODE_ENV: 'test' } },
  ),
  ...['shelf/.hidden', 'shelf/.private/note.txt'].map((path) =>
    options(
      `res.sendFile ignores, allows or denies the hidden path ${path}`,
      [
        ['F-2.9-08', 'F-2.9-09', 'F-2.9-10'],
        ['F-2.9-23', 'F-2.9-24', 'F-2.9-25'],
      ],
      {
        none: {},
        ignore: { dotfiles: 'ignore' },
        allow: { dotfiles: 'allow' },
        deny: { dotfiles: 'deny' },
        nonsense: { dotfiles: 'maybe' },
      },
      {
        none: { status: 404 },
        ignore: { status: 404 },
        allow: { status: 200 },
        deny: { status: 403 },
      },
      path,
    ),
  ),
  options(
    'res.sendFile resolves relative paths in root and passes other options to send',
    [['F-2.9-04'], ['F-2.9-18']],
    {
      none: {},
      slice: { start: 3, end: 5 },
      extensions: { extensions: ['html'] },
    },
    { none: { status: 200, body: LETTERS }, slice: { status: 200, body: 'def' } },
  ),
  options(
    'res.sendFile sends the index of a directory only with the option index',
    [['F-2.9-04'], ['F-2.9-18']],
    {
      none: {},
      off: { index: false },
      named: { index: 'deep.txt' },
    },
    { off: { status: 404 }, named: { status: 200, body: 'deep\n' } },
    'shelf/inner/',
  ),
  scenario({
    name: 'the option headers sets nothing for a missing file, and filename replaces its Content-Disposition',
    clauses: ['F-2.9-07', 'F-2.9-21', 'F-2.9-22'],
    build: routes(({ files: root }) => {
      const headers = { 'X-Own': 'yes' };
      const inline = { 'Content-Disposition': 'inline', 'CONTENT-disposition': 'inline', ...headers };
      return {
        '/sendFile': (_req, res) => res.sendFile('missing.txt', { root, headers }),
        '/download': (_req, res) => res.download('missing.txt', 'saved.txt', { root, headers }),
        '/named': (_req, res) => res.download('hello.txt', 'own.txt', { root, headers: inline }),
      };
    }),
    requests: expectGets({
      '/sendFile': { status: 404, 'x-own': undefined },
      '/download': { status: 404, 'x-own': undefined, 'content-disposition': undefined },
      '/named': { 'content-disposition': 'attachment; filename=own.txt', 'x-own': 'yes' },
    }),
  }),
];
