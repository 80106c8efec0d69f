import { expect } from 'chai';
import { assert, asyncProperty, constantFrom, record, string } from 'fast-check';
import morgan from 'morgan';
import framework from 'nozomi';
import logger from 'nozomi/logger';
import { raw } from '../../../parity/client/request';
import { play } from '../../support/both';

const FORMATS = ['combined', 'common', 'dev', 'short', 'tiny'] as const;

describe('advisories about the logger', () => {
  proves('CVE-2026-5078 GHSA-4vj7-5mj6-jm8m L-2.4-26');
  it('one request gives one line, for any headers, target and credentials', async () => {
    const hostile = string({
      unit: constantFrom(
        '\n',
        '\r',
        '\u2028',
        '\u0085',
        '"',
        '\\',
        '\x1b[2K',
        '\0',
        ':',
        '%0a',
        'a',
        '\u00ff',
        ' ',
      ),
      maxLength: 10,
    });
    await assert(
      asyncProperty(
        record({ format: constantFrom(...FORMATS), user: hostile, agent: hostile, path: hostile }),
        async (given) => {
          const credentials = Buffer.from(`${given.user}:x`).toString('base64');
          // Only characters that Node.js's HTTP parser accepts.
          const header = given.agent.replace(/[^\t\x20-\x7e\x80-\xff]/g, '');
          const bytes = `GET /${encodeURI(given.path).replaceAll('%20', '')} HTTP/1.1\r\nHost: h\r\nAuthorization: Basic ${credentials}\r\nUser-Agent: ${header}\r\nReferer: ${header}\r\nConnection: close\r\n\r\n`;
          const lines = await Promise.all([
            linesOf(morgan, given.format, bytes),
            linesOf(logger, given.format, bytes),
          ]);

          expect(lines[1]).to.deep.equal(lines[0]);
          expect(lines[1]).to.match(/^[^\n\r\u2028\u2029]*\n$/);
          if (given.format !== 'dev') expect(lines[1]).to.not.match(/[^\P{Cc}\n\x80-\x9f]/u);
        },
      ),
      { numRuns: 40 },
    );
  });

  const formats = [
    '"',
    '\\',
    '`\u0024{process.exit(1)}`',
    '\u0024{1+1}',
    '"+process.exit(1)+"',
    "');process.exit(1);('",
    ':method["]',
    ':req[a"+b]',
    '\u2028',
    '\n',
    '</script>',
  ];
  for (const format of formats) {
    proves('CVE-2019-5413 L-4-01');
    it(`the format ${JSON.stringify(format)} is written as text, and runs no code`, () => {
      const [theirs, ours] = [morgan, logger].map((implementation) => {
        const write = (implementation as typeof morgan).compile(`:method ${format} :url`);
        const req = { method: 'GET', url: '/', headers: {} };
        return write(
          implementation as never,
          req as never,
          { getHeader: () => undefined, headersSent: false } as never,
        );
      });
      expect(ours).to.equal(theirs);
    });
  }
});

/** @returns The lines for one request, with times masked. */
async function linesOf(implementation: unknown, format: string, bytes: string): Promise<string> {
  let text = '';
  const stream = {
    write(line: string) {
      text += line;
    },
  };
  const app = framework().use((implementation as typeof logger)(format as 'tiny', { stream }));
  app.use((_req, res) => void res.status(200).end());
  await play(app, [raw(Buffer.from(bytes, 'latin1'))]);
  return text.replace(/\[[^\]]*\d{4}[^\]]*\]/g, '[clock]').replace(/[\d.]+ ms/g, '0 ms');
}
