import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import { Commits } from '../../../src/adapters/outbound/embedded/file/commits.ts';
import type { RecordChange } from '../../../src/adapters/outbound/memory/records/record.ts';
import { StoreFullError } from '../../../src/adapters/outbound/embedded/file/store-errors.ts';
import { put } from '../../support/embedded/records.ts';
import { rejection } from '../../support/rejection.ts';

/** What changed, and the writes that the test ends. */
class Scene {
  readonly writes: { readonly ids: readonly string[]; end(error?: Error): void }[] = [];
  readonly failures: Error[] = [];
  changed: RecordChange[] = [];
  /** Why what changed cannot be taken. */
  mistake: Error | undefined;
  readonly commits = new Commits(
    () => {
      if (this.mistake !== undefined) throw this.mistake;
      return this.changed.splice(0);
    },
    (changes) =>
      new Promise((resolve, reject) => {
        const end = (error?: Error) => (error === undefined ? resolve() : reject(error));
        this.writes.push({ ids: changes.map(({ id, value }) => `${id}=${String(value)}`), end });
      }),
    (error) => this.failures.push(error),
  );

  change(id: string, value: unknown = 1): void {
    this.changed.push(put(id, value));
  }

  /** Resolves once what starts in the next turns of the event loop has started. */
  async settled(): Promise<void> {
    for (let turns = 0; turns < 3; turns += 1) await turn();
  }
}

describe('Commits', () => {
  let scene: Scene;

  beforeEach(() => {
    scene = new Scene();
  });

  it('writes at once when nothing is being written, with all that changes in the same turn', async () => {
    scene.change('a');
    const written = scene.commits.written();
    scene.change('b');
    const other = scene.commits.written();
    await scene.settled();
    expect(scene.writes.map(({ ids }) => ids)).to.deep.equal([['a=1', 'b=1']]);
    scene.writes[0]!.end();
    await Promise.all([written, other]);
  });

  it('writes everything that changes during a write as one', async () => {
    scene.change('a');
    const first = scene.commits.written();
    await scene.settled();
    const others = ['b', 'c', 'd'].map((id) => {
      scene.change(id);
      return scene.commits.written();
    });
    scene.writes[0]!.end();
    await first;
    await scene.settled();
    expect(scene.writes.map(({ ids }) => ids)).to.deep.equal([['a=1'], ['b=1', 'c=1', 'd=1']]);
    scene.writes[1]!.end();
    await Promise.all(others);
  });

  it('writes nothing when nothing changed', async () => {
    await scene.commits.written();
    expect(scene.writes).to.deep.equal([]);
  });

  it('starts no second write between two that follow each other', async () => {
    scene.change('a');
    const first = scene.commits.written();
    await scene.settled();
    scene.change('b');
    const second = scene.commits.written();
    const third = first.then(() => {
      scene.change('c');
      return scene.commits.written();
    });
    scene.writes[0]!.end();
    await first;
    await scene.settled();
    expect(scene.writes).to.have.length(2);
    scene.writes[1]!.end();
    await second;
    await third;
  });

  it('keeps what a full disk refused, and writes the newest of it later', async () => {
    scene.change('a', 1);
    scene.change('b', 1);
    const refused = rejection(scene.commits.written());
    await scene.settled();
    scene.writes[0]!.end(new StoreFullError('full'));
    expect(await refused).to.be.instanceOf(StoreFullError);
    scene.change('a', 2);
    const written = scene.commits.written();
    await scene.settled();
    expect(scene.writes[1]!.ids).to.deep.equal(['a=2', 'b=1']);
    scene.writes[1]!.end();
    await written;
    expect(scene.failures).to.deep.equal([]);
    await scene.commits.end();
    expect(scene.writes).to.have.length(2);
  });

  for (const [end, isStored] of [
    ['once there is room', true],
    ['at the end', false],
  ] as const) {
    // holds: store.not-stored
    it(`answers what waits for a full disk ${end}`, async () => {
      scene.change('a');
      const kept = scene.commits.kept().then(
        () => true,
        (error: unknown) => !(error instanceof StoreFullError),
      );
      await scene.settled();
      scene.writes[0]!.end(new StoreFullError('full'));
      await scene.settled();
      const ending = scene.commits.end().catch(() => undefined);
      await scene.settled();
      scene.writes[1]!.end(isStored ? undefined : new StoreFullError('full'));
      await ending;
      expect(await kept).to.equal(isStored);
    });
  }

  it('fails for good when what changed cannot be written', async () => {
    scene.mistake = new Error('A part of job 1 is not in memory');
    expect(await rejection(scene.commits.written())).to.equal(scene.mistake);
    expect(scene.failures).to.deep.equal([scene.mistake]);
    scene.mistake = undefined;
    scene.change('a');
    expect(await rejection(scene.commits.written())).to.equal(scene.failures[0]);
    expect(scene.writes).to.deep.equal([]);
  });

  it('never writes again after a write failed otherwise', async () => {
    scene.change('a');
    const first = rejection(scene.commits.written());
    await scene.settled();
    scene.change('b');
    const second = rejection(scene.commits.written());
    const error = new Error('EIO');
    scene.writes[0]!.end(error);
    expect([await first, await second]).to.deep.equal([error, error]);
    expect(await rejection(scene.commits.written())).to.equal(error);
    expect(scene.failures).to.deep.equal([error]);
    expect(scene.writes).to.have.length(1);
  });

  it('writes what is left at the end', async () => {
    scene.change('a');
    scene.commits.soon();
    const end = scene.commits.end();
    await scene.settled();
    scene.writes[0]!.end();
    await end;
    expect(scene.writes.map(({ ids }) => ids)).to.deep.equal([['a=1']]);
  });

  describe('in time', () => {
    let clock: sinon.SinonFakeTimers;

    beforeEach(() => {
      clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    });

    afterEach(() => {
      clock.restore();
    });

    it('writes soon what nobody waits for', async () => {
      scene.change('a');
      scene.commits.soon();
      scene.commits.soon();
      clock.tick(49);
      await scene.settled();
      expect(scene.writes).to.have.length(0);
      clock.tick(1);
      await scene.settled();
      expect(scene.writes).to.have.length(1);
    });

    describe('after a full disk refused a write', () => {
      beforeEach(async () => {
        scene.change('a');
        const refused = rejection(scene.commits.written());
        await scene.settled();
        scene.writes[0]!.end(new StoreFullError('full'));
        await refused;
      });

      it('repeats it a second later by itself', async () => {
        clock.tick(1000);
        await scene.settled();
        expect(scene.writes.map(({ ids }) => ids)).to.deep.equal([['a=1'], ['a=1']]);
      });

      it('repeats it no sooner for a change that nobody waits for', async () => {
        scene.change('b');
        scene.commits.soon();
        clock.tick(999);
        await scene.settled();
        expect(scene.writes).to.have.length(1);
        clock.tick(1);
        await scene.settled();
        expect(scene.writes[1]!.ids).to.deep.equal(['a=1', 'b=1']);
      });
    });

    describe('for those who wait only while the disk lags', () => {
      async function change(id: string): Promise<void> {
        scene.change(id);
        await scene.commits.keptUp();
      }

      it('writes at once when nothing was written lately', async () => {
        await change('a');
        await scene.settled();
        expect(scene.writes.map(({ ids }) => ids)).to.deep.equal([['a=1']]);
      });

      it('starts one write in 5 ms', async () => {
        await change('a');
        await scene.settled();
        scene.writes[0]!.end();
        await scene.settled();
        clock.tick(1);
        await change('b');
        clock.tick(3);
        await change('c');
        await scene.settled();
        expect(scene.writes).to.have.length(1);
        clock.tick(1);
        await scene.settled();
        expect(scene.writes.map(({ ids }) => ids)).to.deep.equal([['a=1'], ['b=1', 'c=1']]);
      });

      it('writes before what may stay unwritten for longer is due', async () => {
        scene.change('a');
        scene.commits.soon();
        await change('b');
        await scene.settled();
        expect(scene.writes.map(({ ids }) => ids)).to.deep.equal([['a=1', 'b=1']]);
      });

      it('waits while a write takes more than 50 ms, and for the one that follows it', async () => {
        await change('a');
        await scene.settled();
        clock.tick(50);
        await change('b');
        clock.tick(1);
        let isWritten = false;
        const waiting = change('c').then(() => (isWritten = true));
        scene.writes[0]!.end();
        await scene.settled();
        expect(isWritten).to.be.false;
        expect(scene.writes[1]!.ids).to.deep.equal(['b=1', 'c=1']);
        scene.writes[1]!.end();
        await waiting;
      });

      it('waits for what a full disk refused until there is room', async () => {
        await change('a');
        await scene.settled();
        scene.writes[0]!.end(new StoreFullError('full'));
        await scene.settled();
        let isWritten = false;
        const waiting = change('b').then(() => (isWritten = true));
        await scene.settled();
        scene.writes[1]!.end(new StoreFullError('still full'));
        await scene.settled();
        expect(isWritten).to.equal(false);
        clock.tick(1000);
        await scene.settled();
        expect(scene.writes[2]!.ids).to.deep.equal(['a=1', 'b=1']);
        scene.writes[2]!.end();
        await waiting;
      });

      it('throws how a write failed for good', async () => {
        await change('a');
        await scene.settled();
        const error = new Error('EIO');
        scene.writes[0]!.end(error);
        await scene.settled();
        expect(await rejection(change('b'))).to.equal(error);
      });
    });
  });
});
