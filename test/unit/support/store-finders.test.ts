import { expect } from 'chai';
import sinon from 'sinon';
import { findStore, NO_STORE } from '../../support/redis/find-store.ts';
import { storeFinders, type StoreSeams } from '../../support/redis/store-finders.ts';
import { rejection } from '../../support/rejection.ts';

const stop = () => Promise.resolve();

/** A machine that has nothing, but for what a test gives it. */
function machine(given: Partial<StoreSeams> = {}) {
  return {
    env: {},
    ping: sinon.stub().resolves(),
    findBinary: sinon.stub().resolves(undefined),
    startServer: sinon.stub().resolves({ uri: 'redis://process', stop }),
    engineAnswers: sinon.stub().resolves(false),
    startContainer: sinon.stub().resolves({ uri: 'redis://container', stop }),
    install: sinon.stub().resolves(false),
    say: sinon.spy(),
    ...given,
  } satisfies StoreSeams;
}

const uriOn = async (seams: StoreSeams) => (await findStore(storeFinders(seams), seams.say)).uri;

describe('storeFinders', () => {
  it('prefer TEST_STORE_URI to everything else', async () => {
    const findBinary = sinon.stub().resolves('/usr/bin/redis-server');
    const seams = machine({ env: { TEST_STORE_URI: 'redis://given' }, findBinary });
    expect(await uriOn(seams)).to.equal('redis://given');
    expect(findBinary.called).to.equal(false);
  });

  it('prefer the program on the PATH to Docker', async () => {
    const engineAnswers = sinon.stub().resolves(true);
    const findBinary = sinon.stub().resolves('/usr/bin/redis-server');
    expect(await uriOn(machine({ findBinary, engineAnswers }))).to.equal('redis://process');
    expect(engineAnswers.called).to.equal(false);
  });

  it('prefer Docker to an installation', async () => {
    const install = sinon.stub().resolves(true);
    const seams = machine({ engineAnswers: () => Promise.resolve(true), install });
    expect(await uriOn(seams)).to.equal('redis://container');
    expect(install.called).to.equal(false);
  });

  it('install a package at last, and run the program it brought', async () => {
    const findBinary = sinon.stub().resolves('/usr/bin/redis-server');
    findBinary.onFirstCall().resolves(undefined);
    const seams = machine({ findBinary, install: () => Promise.resolve(true) });
    expect(await uriOn(seams)).to.equal('redis://process');
  });

  it('install a package when Docker answers but cannot start the image', async () => {
    const findBinary = sinon.stub().resolves('/usr/bin/redis-server');
    findBinary.onFirstCall().resolves(undefined);
    const seams = machine({
      findBinary,
      engineAnswers: () => Promise.resolve(true),
      startContainer: sinon.stub().rejects(new Error('no image')),
      install: () => Promise.resolve(true),
    });
    expect(await uriOn(seams)).to.equal('redis://process');
  });

  it('fail on a machine that has nothing', async () => {
    expect((await rejection(uriOn(machine()))).message).to.equal(NO_STORE);
  });
});
