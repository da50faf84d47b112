import { expect } from 'chai';
import { SerialReads } from '../../../src/adapters/outbound/redis/connection/serial-reads.ts';

describe('reads in series', () => {
  it('are made one after the other', async () => {
    const reads = new SerialReads();
    let running = 0;
    const read = async (value: number): Promise<number> => {
      running += 1;
      expect(running).to.equal(1);
      await Promise.resolve();
      running -= 1;
      return value;
    };
    const values = await Promise.all([1, 2, 3].map((value) => reads.run(() => read(value))));
    expect(values).to.deep.equal([1, 2, 3]);
  });

  it('fail with the one that they wait for; later ones are made', async () => {
    const reads = new SerialReads();
    let made = 0;
    const read = (): Promise<number> => Promise.resolve((made += 1));
    const failing = reads.run(() => Promise.reject(new Error('gone')));
    const results = await Promise.allSettled([failing, reads.run(read), reads.run(read)]);
    expect(results.map(({ status }) => status)).to.deep.equal(Array(3).fill('rejected'));
    expect([await reads.run(read), await reads.run(read)]).to.deep.equal([1, 2]);
  });
});
