import { expect } from 'chai';
import sinon from 'sinon';
import { containerStore } from '../../support/redis/container-store.ts';
import { environmentStore } from '../../support/redis/environment-store.ts';
import { findStore, NO_STORE, type TestStore } from '../../support/redis/find-store.ts';
import { localStore } from '../../support/redis/local-store.ts';
import { rejection } from '../../support/rejection.ts';

const store = (origin: string): TestStore => ({
  uri: `redis://${origin}`,
  origin,
  stop: () => Promise.resolve(),
});

describe('findStore', () => {
  it('takes the first store that is found, says which, and looks no further', async () => {
    const last = sinon.stub();
    const say = sinon.spy();
    const found = await findStore(
      [() => Promise.resolve(undefined), () => Promise.resolve(store('second')), last],
      say,
    );
    expect(found.origin).to.equal('second');
    expect(say.args).to.deep.equal([['Test store: second']]);
    expect(last.called).to.equal(false);
  });

  it('fails with one line that says what to do when there is none', async () => {
    const error = await rejection(findStore([() => Promise.resolve(undefined)], sinon.spy()));
    expect(error.message).to.equal(NO_STORE);
    expect(NO_STORE).to.include('TEST_STORE_URI').and.not.include('\n');
  });

  it('fails with the error of a finder instead of hiding it behind the next one', async () => {
    const broken = sinon.stub().rejects(new Error('the server does not start'));
    const next = sinon.stub().resolves(store('next'));
    const error = await rejection(findStore([broken, next], sinon.spy()));
    expect(error.message).to.equal('the server does not start');
    expect(next.called).to.equal(false);
  });
});

describe('environmentStore', () => {
  it('is the store that TEST_STORE_URI names, once it answers', async () => {
    const ping = sinon.stub().resolves();
    const found = await environmentStore({ env: { TEST_STORE_URI: 'redis://db:1' }, ping });
    expect(found).to.include({ uri: 'redis://db:1', origin: 'TEST_STORE_URI' });
    expect(ping.args).to.deep.equal([['redis://db:1']]);
  });

  for (const env of [{}, { TEST_STORE_URI: '' }]) {
    it(`is none for ${JSON.stringify(env)}`, async () => {
      const ping = sinon.stub().resolves();
      expect(await environmentStore({ env, ping })).to.equal(undefined);
      expect(ping.called).to.equal(false);
    });
  }

  it('fails, naming the variable, when the store that was asked for does not answer', async () => {
    const ping = sinon.stub().rejects(new Error('connect ECONNREFUSED 127.0.0.1:1'));
    const error = await rejection(
      environmentStore({ env: { TEST_STORE_URI: 'redis://127.0.0.1:1' }, ping }),
    );
    expect(error.message)
      .to.match(/^TEST_STORE_URI .*ECONNREFUSED.*/)
      .and.not.include('\n');
  });
});

describe('localStore', () => {
  it('starts the program that is on the PATH and stops it after', async () => {
    const stop = sinon.stub().resolves();
    const startServer = sinon.stub().resolves({ uri: 'redis://127.0.0.1:7000', stop });
    const found = await localStore({
      findBinary: () => Promise.resolve('/usr/bin/valkey-server'),
      startServer,
    });
    expect(startServer.args).to.deep.equal([['/usr/bin/valkey-server']]);
    expect(found?.origin).to.equal('valkey-server at redis://127.0.0.1:7000');
    await found?.stop();
    expect(stop.calledOnce).to.equal(true);
  });

  it('is none, and starts nothing, without a program', async () => {
    const startServer = sinon.stub();
    const findBinary = () => Promise.resolve(undefined);
    expect(await localStore({ findBinary, startServer })).to.equal(undefined);
    expect(startServer.called).to.equal(false);
  });
});

describe('containerStore', () => {
  const stop = () => Promise.resolve();

  for (const [env, image] of [
    [{}, 'redis:7-alpine'],
    [{ TEST_STORE_IMAGE: 'valkey:8' }, 'valkey:8'],
  ] as const) {
    it(`starts ${image} with ${JSON.stringify(env)} when an engine answers`, async () => {
      const startContainer = sinon.stub().resolves({ uri: 'redis://localhost:32768', stop });
      const found = await containerStore({
        env,
        engineAnswers: () => Promise.resolve(true),
        startContainer,
        say: sinon.spy(),
      });
      expect(startContainer.args).to.deep.equal([[image]]);
      expect(found?.origin).to.equal(`container of ${image} at redis://localhost:32768`);
    });
  }

  it('is none, and starts nothing, when no engine answers', async () => {
    const startContainer = sinon.stub();
    const found = await containerStore({
      env: {},
      engineAnswers: () => Promise.resolve(false),
      startContainer,
      say: sinon.spy(),
    });
    expect(found).to.equal(undefined);
    expect(startContainer.called).to.equal(false);
  });

  it('is none, and says why, when the engine cannot start the image', async () => {
    const say = sinon.spy();
    const found = await containerStore({
      env: {},
      engineAnswers: () => Promise.resolve(true),
      startContainer: sinon.stub().rejects(new Error('no route to the registry')),
      say,
    });
    expect(found).to.equal(undefined);
    expect(say.firstCall.args[0]).to.include('redis:7-alpine').and.include('no route');
  });
});
