import { expect } from 'chai';
import sinon from 'sinon';
import { StoreSession } from '../../support/redis/store-session.ts';
import { rejection } from '../../support/rejection.ts';

describe('StoreSession', () => {
  const found = () => {
    const store = { uri: 'redis://a', origin: 'a', stop: sinon.stub().resolves() };
    return { store, find: sinon.stub().resolves(store) };
  };

  it('finds nothing for a run that needs no store', async () => {
    const { find } = found();
    const session = new StoreSession(find);
    await session.begin();
    await session.end();
    expect(find.called).to.equal(false);
  });

  it('finds the store once, ahead of the tests that need it, and stops it once', async () => {
    const { find, store } = found();
    const session = new StoreSession(find);
    session.need();
    await session.begin();
    expect(find.calledOnce).to.equal(true);
    expect(await session.store()).to.equal(store);
    expect(await session.store()).to.equal(store);
    await session.end();
    await session.end();
    expect(find.calledOnce).to.equal(true);
    expect(store.stop.calledOnce).to.equal(true);
  });

  it('leaves a failure to those who ask for the store, looking no second time', async () => {
    const find = sinon.stub().rejects(new Error('none here'));
    const session = new StoreSession(find);
    session.need();
    await session.begin();
    expect((await rejection(session.store())).message).to.equal('none here');
    expect(find.calledOnce).to.equal(true);
    await session.end();
  });
});
