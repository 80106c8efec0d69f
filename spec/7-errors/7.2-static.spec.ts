import { expect } from 'chai';
import type { NextFunction, Request, Response } from 'express';
import framework from 'nozomi';
import { get } from '../../parity/client/request';
import { filesOf } from '../support/files';
import { type Framework, jsonOf, playBeside, textOf } from '../support/play';

/** Serves static files. A later handler responds `passed at` and the status; an error handler responds with JSON. */
function site(options: object) {
  const root = filesOf({ '.env': 'secret', 'a.txt': 'a' });
  return (nozomi: Framework) => {
    const app = nozomi();
    app.use(nozomi.static(root, options));
    app.use((_req: Request, res: Response) => void res.send(`passed at ${res.statusCode}`));
    app.use((err: Error & { status: number }, _req: Request, res: Response, _next: NextFunction) => {
      res.status(err.status).json({ name: err.name, members: err, root: err.message.includes(root) });
    });
    return app;
  };
}

describe('errors of framework.static() (§7.2)', () => {
  for (const [id, dotfiles, status] of [
    ['F-7-05', 'deny', 403],
    ['F-7-06', 'ignore', 404],
  ] as const) {
    it(`dotfiles ${dotfiles} calls next(), or next(err) with status ${status} if fallthrough is false [${id}]`, async () => {
      const [passed] = await playBeside(site({ dotfiles }), get('/.env'));
      const [failed] = await playBeside(site({ dotfiles, fallthrough: false }), get('/.env'));

      expect(textOf(passed)).to.equal('passed at 200');
      expect(failed?.response.status).to.equal(status);
    });
  }

  it('a missing file calls next() by default [F-7-07]', async () => {
    const [exchange] = await playBeside(site({}), get('/none.txt'));

    expect(textOf(exchange)).to.equal('passed at 200');
  });

  it('a missing file calls next(err) with the file system error if fallthrough is false [F-7-08]', async () => {
    const [exchange] = await playBeside(site({ fallthrough: false }), get('/none.txt'));

    expect(exchange?.response.status).to.equal(404);
    expect(jsonOf(exchange)).to.deep.include({ name: 'Error', root: true });
    expect(jsonOf(exchange))
      .to.have.property('members')
      .that.includes({ code: 'ENOENT', syscall: 'stat', expose: false });
  });

  it('the error page in production contains neither file nor root [F-7-08]', async () => {
    const root = filesOf({});
    const build = (nozomi: Framework) => {
      const app = nozomi();
      // In development the page shows the stack, which contains the path of the file.
      app.set('env', 'production').use(nozomi.static(root, { fallthrough: false }));
      return app;
    };
    const { error } = console;
    console.error = () => {};
    const [exchange] = await playBeside(build, get('/none.txt')).finally(() => {
      console.error = error;
    });

    expect(textOf(exchange)).to.include('<pre>Not Found</pre>').and.not.to.include(root);
  });

  it('a request target without a path is a missing file and does not throw [F-7-08]', () => {
    const serve = framework.static('.');
    const next = { calls: 0 };

    serve({ method: 'POST', url: 'x:' } as never, {} as never, () => next.calls++);

    expect(next.calls).to.equal(1);
  });
});
