import { expect } from 'chai';
import { writtenPort, type Disk } from '../../../src/adapters/outbound/embedded/written-port.ts';
import { storeFull } from '../../../src/domain/errors.ts';
import { rejection } from '../../support/rejection.ts';

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
}

describe('a port whose answers are on the disk', () => {
  let isFull = false;
  let writes: (() => void)[] = [];
  let laggings: (() => void)[] = [];
  const disk: Disk = {
    check: (grows) => {
      if (isFull && grows) throw storeFull('reads still work');
    },
    written: () => new Promise((resolve) => writes.push(resolve)),
    keptUp: () => new Promise((resolve) => laggings.push(resolve)),
  };
  let port: Counter;

  beforeEach(() => {
    isFull = false;
    writes = [];
    laggings = [];
    port = writtenPort(
      new Counter(),
      {
        add: 'grows',
        remove: true,
        claim: (claimed, isPulled) => isPulled && claimed > 0,
        settle: (isClaimed) => isClaimed || 'lagging',
      },
      disk,
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
