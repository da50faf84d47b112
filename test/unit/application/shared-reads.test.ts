import { expect } from 'chai';
import { SharedReads } from '../../../src/application/events/shared-reads.ts';
import type { EventPort, KeptEvents } from '../../../src/application/ports/event-port.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { rejection } from '../../support/rejection.ts';

const QUEUE = queueNamed('mail');

/** A store whose reads end when the test lets them. */
class SlowStore {
  readonly started: string[] = [];
  readonly #ends: ((answer: KeptEvents | Error) => void)[] = [];

  readonly port = {
    read: (_queue: unknown, after: string) => {
      this.started.push(after);
      return new Promise<KeptEvents>((resolve, reject) => {
        this.#ends.push((answer) => {
          if (answer instanceof Error) reject(answer);
          else resolve(answer);
        });
      });
    },
  } as unknown as EventPort;

  /** Ends the current read, and lets the next one start. */
  async end(answer: KeptEvents | Error): Promise<void> {
    await new Promise(setImmediate);
    this.#ends.shift()?.(answer);
    await new Promise(setImmediate);
  }
}

const FULL: KeptEvents = { events: [], last: '5-0', isEnd: false };
const LAST: KeptEvents = { events: [], last: '9-0', isEnd: true };

describe('Reads of past events', () => {
  let store: SlowStore;
  let reads: SharedReads;

  beforeEach(() => {
    store = new SlowStore();
    reads = new SharedReads(store.port);
  });

  it('are made one at a time, and once for all readers at the same position', async () => {
    const pages = [
      reads.read(QUEUE, '1-0'),
      reads.read(QUEUE, '5-0'),
      reads.read(QUEUE, '1-0'),
      reads.read(queueNamed('news'), '1-0'),
    ];
    await store.end(FULL);
    expect(store.started).to.deep.equal(['1-0', '5-0']);
    pages.push(reads.read(QUEUE, '1-0'));
    await store.end(LAST);
    await store.end(FULL);
    expect(store.started).to.deep.equal(['1-0', '5-0', '1-0']);
    const [first, second, third, , fifth] = await Promise.all(pages);
    expect(second?.batch.last).to.deep.equal({ id: '9-0', queue: QUEUE });
    expect([third, fifth]).to.deep.equal([first, first]);
    expect(third?.batch).to.equal(first?.batch);
  });

  it('are made again once nothing is left to read, and where more may have followed', async () => {
    const page = reads.read(QUEUE, '1-0');
    const end = reads.read(QUEUE, '5-0');
    await store.end(FULL);
    await store.end(LAST);
    await Promise.all([page, end]);
    void reads.read(QUEUE, '1-0');
    void reads.read(QUEUE, '5-0');
    await store.end(FULL);
    await store.end(LAST);
    expect(store.started).to.deep.equal(['1-0', '5-0', '1-0', '5-0']);
  });

  it('fail alone', async () => {
    const failed = rejection(reads.read(QUEUE, '1-0'));
    const other = reads.read(QUEUE, '5-0');
    await store.end(new Error('gone'));
    await store.end(LAST);
    expect((await failed).message).to.equal('gone');
    expect((await other).isEnd).to.equal(true);
  });
});
