import { expect } from 'chai';
import framework from 'nozomi';

describe('the event mount (§6)', () => {
  it('is emitted on an application at each mount, with the parent as argument [F-6-01 F-6-02 F-6-03]', () => {
    const [app, other, sub] = [framework(), framework(), framework()];
    const parents: unknown[] = [];
    sub.on('mount', (parent) => parents.push(parent));

    app.use('/one', sub);
    other.use(['/two', '/three'], () => undefined, [sub]);

    expect(parents).to.deep.equal([app, other]);
    expect(sub.mountpath).to.deep.equal(['/two', '/three']);
  });

  it('is not emitted if a router is mounted [F-6-01]', () => {
    const app = framework();
    app.on('mount', () => expect.fail('the parent was not mounted'));

    app.use('/router', framework.Router());
  });
});
