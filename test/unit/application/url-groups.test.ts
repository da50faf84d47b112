import { expect } from 'chai';
import { UrlGroups } from '../../../src/application/messages/url-groups.ts';
import { urlGroupsInMemory } from '../../support/collections.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { rejection } from '../../support/rejection.ts';

const [ONE, TWO] = ['http://one.test/', 'http://two.test/'];

describe('UrlGroups', () => {
  let clock: FakeClock;
  let groups: UrlGroups;
  beforeEach(() => {
    clock = new FakeClock();
    groups = new UrlGroups({ urlGroups: urlGroupsInMemory(), clock });
  });

  const endpoints = async () => (await groups.read('orders')).endpoints;

  it('come with their first endpoint, and end with their last', async () => {
    const createdAt = clock.now();
    await groups.addEndpoints('orders', [{ url: ONE }]);
    await clock.advance(5);
    await groups.addEndpoints('orders', [{ url: TWO, name: 'two' }]);
    expect(await groups.list()).to.deep.equal([
      {
        name: 'orders',
        createdAt,
        updatedAt: createdAt + 5,
        endpoints: [{ url: ONE }, { url: TWO, name: 'two' }],
      },
    ]);
    await groups.removeEndpoints('orders', [{ name: 'two' }]);
    expect(await endpoints()).to.deep.equal([{ url: ONE }]);
    await groups.removeEndpoints('orders', [{ url: ONE }]);
    expect(await rejection(groups.read('orders'))).to.have.property('code', 'url-group-not-found');
  });

  it('have each name and each URL once', async () => {
    await groups.addEndpoints('orders', [{ url: ONE, name: 'a' }, { url: TWO }]);
    await groups.addEndpoints('orders', [{ url: TWO, name: 'b' }, { url: ONE }]);
    expect(await endpoints()).to.deep.equal([
      { url: ONE, name: 'a' },
      { url: TWO, name: 'b' },
    ]);
    await groups.addEndpoints('orders', [{ url: 'http://three.test/', name: 'a' }]);
    expect((await endpoints())[0]).to.deep.equal({ url: 'http://three.test/', name: 'a' });
  });

  // holds: qstash.url-groups
  it('are refused with the path of what is wrong', async () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ url: `http://${index}.test/` }));
    await groups.addEndpoints('orders', many(100));
    const refused: readonly (readonly [Promise<unknown>, string | undefined])[] = [
      [groups.addEndpoints('a/b', [{ url: ONE }]), 'name'],
      [groups.addEndpoints('a', [{ url: ONE }, { url: 'ftp://x' }]), 'endpoints[1].url'],
      [groups.addEndpoints('a', [{ url: `${ONE}${'x'.repeat(2048)}` }]), 'endpoints[0].url'],
      [groups.addEndpoints('a', many(101)), 'endpoints'],
      [groups.addEndpoints('orders', [{ url: ONE }]), 'endpoints'],
    ];
    for (const [call, field] of refused) {
      expect(await rejection(call)).to.include({ code: 'invalid-request', field });
    }
    expect(await groups.list()).to.have.lengthOf(1);
  });
});
