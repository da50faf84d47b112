import { expect } from 'chai';
import { writtenPort, type Disk } from '../../../src/adapters/outbound/embedded/written-port.ts';
import { storeFull } from '../../../src/domain/errors.ts';
import { rejection } from '../../support/rejection.ts';
import { queueNamed } from '../../support/queue-named.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';

class Counter {
  #count = 0;

  async add(by: number): Promise<number> {
    this.#count += by;
    return Promise.resolve(this.#count);
  }

  async remove(): Promise<void> {
    this.#count = 0;
    return Promise.resolve();
  }

  async claim(isPulled: boolean): Promise<number> {
    return Promise.resolve(isPulled ? this.#count : 0);
  }

  async settle(isClaimed: boolean): Promise<boolean> {
    return Promise.resolve(isClaimed);
  }

  async read(): Promise<number> {
    return Promise.resolve(this.#count);
  }

  async find(queue: QueueName, id: string): Promise<string> {
    return Promise.resolve(`${queue}:${id}`);
  }

  async list(queue: QueueName): Promise<{ queue: string; pieces: AsyncGenerator<number> }> {
    return Promise.resolve({ queue, pieces: this.each() });
  }

  async *each(): AsyncGenerator<number> {
    yield await Promise.resolve(this.#count);
    yield this.#count + 1;
  }
}

describe('a port whose answers are on the disk', () => {
  let isFull = false;
  let writes: (() => void)[] = [];
  let laggings: (() => void)[] = [];
  let isStored = true;
  let reads: [what: readonly unknown[], resolve: () => void][] = [];
  const disk: Disk = {
    check: (grows) => {
      if (isFull && grows) throw storeFull('reads still work');
    },
    written: () => new Promise((resolve) => writes.push(resolve)),
    keptUp: () => new Promise((resolve) => laggings.push(resolve)),
    shown: (...what) =>
      isStored ? undefined : new Promise((resolve) => reads.push([what, resolve])),
  };
  let port: Counter;

  beforeEach(() => {
    isFull = false;
    writes = [];
    laggings = [];
    isStored = true;
    reads = [];
    port = writtenPort(
      new Counter(),
      {
        add: 'grows',
        remove: 'changes',
        claim: 'starts',
        settle: 'starts',
        read: 'looks',
        find: 'reads job',
        list: 'reads queue',
        each: 'streams store',
      },
      disk,
      {
        claim: (claimed, isPulled) => isPulled && claimed > 0,
        settle: (isClaimed) => isClaimed || 'lagging',
      },
    );
  });

  it('answers a change once it is written', async () => {
    let isAnswered = false;
    const answer = port.add(2).finally(() => (isAnswered = true));
    expect(await port.read()).to.equal(2);
    expect(isAnswered).to.equal(false);
    expect(writes).to.have.length(1);
    writes[0]?.();
    expect(await answer).to.equal(2);
  });

  it('waits only where the answer promises something', async () => {
    expect(await port.claim(false)).to.equal(0);
    expect(await port.claim(true)).to.equal(0);
    expect(writes).to.deep.equal([]);
  });

  it('leaves it to the disk whether some answers wait', async () => {
    const settled = port.settle(false);
    await port.read();
    expect(writes).to.deep.equal([]);
    laggings[0]?.();
    expect(await settled).to.be.false;
    const claimed = port.settle(true);
    await port.read();
    expect(laggings).to.have.length(1);
    writes[0]?.();
    expect(await claimed).to.be.true;
  });

  it('answers a read at once, or once what it shows is written', async () => {
    const queue = queueNamed('mail');
    expect(await port.find(queue, '1')).to.equal('mail:1');
    isStored = false;
    const found = port.find(queue, '1');
    await port.read();
    await port.read();
    expect(reads.map(([what]) => what)).to.deep.equal([[queue, '1']]);
    reads.pop()?.[1]();
    expect(await found).to.equal('mail:1');
  });

  it('yields each piece of a read once what it shows is written', async () => {
    const { queue, pieces } = await port.list(queueNamed('mail'));
    expect(queue).to.equal('mail');
    for (const each of [pieces, port.each()]) {
      isStored = true;
      expect((await each.next()).value).to.equal(0);
      isStored = false;
      const next = each.next();
      while (reads.length === 0) await port.read();
      reads.pop()?.[1]();
      expect((await next).value).to.equal(1);
    }
  });

  it('refuses what grows the store while the disk is full, and changes nothing then', async () => {
    isFull = true;
    expect(await rejection(port.add(2))).to.include({ code: 'store-full' });
    expect(await port.read()).to.equal(0);
  });

  it('still takes while the disk is full what frees room', async () => {
    const added = port.add(2);
    await port.read();
    writes[0]?.();
    await added;
    isFull = true;
    const removed = port.remove();
    await port.read();
    writes[1]?.();
    await removed;
    expect(await port.read()).to.equal(0);
  });
});
