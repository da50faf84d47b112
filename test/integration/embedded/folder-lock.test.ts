import { expect } from 'chai';
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { FolderLock } from '../../../src/adapters/outbound/embedded/file/folder-lock.ts';
import { ownIdentity } from '../../../src/adapters/outbound/embedded/file/process-identity.ts';
import { TemporaryFolder } from '../../support/embedded/temporary-folder.ts';
import { rejection } from '../../support/rejection.ts';

const TIMES = { beat: 40, patience: 400 };

describe('FolderLock', () => {
  let folder: TemporaryFolder;

  beforeEach(() => {
    folder = new TemporaryFolder();
  });

  afterEach(() => folder.remove());

  function locks(): readonly string[] {
    return readdirSync(folder.path);
  }

  /** A lock that another process left. */
  function leave(identity: object | string): string {
    mkdirSync(folder.path, { recursive: true });
    const path = folder.in('lock-3');
    writeFileSync(path, typeof identity === 'string' ? identity : JSON.stringify(identity));
    return path;
  }

  it('admits one of many processes that come at once', async () => {
    const tries = Array.from({ length: 10 }, () => FolderLock.take(folder.path, TIMES));
    const outcomes = await Promise.allSettled(tries);
    const taken = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(taken).to.have.length(1);
    expect(locks()).to.deep.equal(['lock-1']);
    await taken[0]!.release();
    expect(locks()).to.deep.equal([]);
  });

  it('creates the folder and those above it', async () => {
    const nested = folder.in('a/b');
    const lock = await FolderLock.take(nested, TIMES);
    expect(readdirSync(nested)).to.deep.equal(['lock-1']);
    await lock.release();
  });

  it('is refused where the system takes no folder', async () => {
    const error = await rejection(FolderLock.take('/proc/jobgate/data', TIMES));
    expect(error.message).to.match(/^STORE_PATH \/proc\/jobgate\/data is not writable: ENOENT/);
  });

  it('is taken over at once from a process that ended in the same container', async () => {
    leave({ ...ownIdentity()!, started: '1' });
    const lock = await FolderLock.take(folder.path, { beat: 1000, patience: 60_000 });
    expect(locks()).to.deep.equal(['lock-4']);
    await lock.release();
  });

  it('is not taken from a process of another container that shows that it lives', async () => {
    const path = leave({ ...ownIdentity()!, namespace: 'pid:[1]' });
    const beats = setInterval(() => utimesSync(path, new Date(), new Date()), 20);
    try {
      const error = await rejection(FolderLock.take(folder.path, TIMES));
      expect(error.message).to.equal(`STORE_PATH ${folder.path} is in use`);
    } finally {
      clearInterval(beats);
    }
  });

  for (const [title, identity] of [
    ['of another container', { ...ownIdentity(), namespace: 'pid:[1]' }],
    ['of another machine', { ...ownIdentity(), boot: 'another' }],
    ['that ended while it wrote its name', ''],
  ] as const) {
    it(`is taken over from a process ${title} that shows no sign of life`, async () => {
      leave(identity);
      const lock = await FolderLock.take(folder.path, TIMES);
      expect(locks()).to.deep.equal(['lock-4']);
      expect(JSON.parse(readFileSync(folder.in('lock-4'), 'utf8'))).to.deep.equal(ownIdentity());
      await lock.release();
    });
  }

  it('fails a holder that lost it during a pause', async () => {
    const lock = await FolderLock.take(folder.path, { beat: 60_000, patience: 0 });
    await lock.check();
    rmSync(folder.in('lock-1'));
    const error = await rejection(lock.check());
    expect(error.message).to.match(/is not held any more/);
    await lock.release();
  });
});
