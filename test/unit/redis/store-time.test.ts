import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import type { RedisClient } from '../../../src/adapters/outbound/redis/connection/redis-client.ts';
import { StoreTime } from '../../../src/adapters/outbound/redis/connection/store-time.ts';

class Client extends EventEmitter {
  readonly status = 'connecting';
  /** The store's answers to TIME, one after the other. */
  readonly answers: (readonly [string, string] | Error)[] = [];

  time(): Promise<readonly [string, string]> {
    const answer = this.answers.shift() ?? new Error('no answer');
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  }
}

describe('the time of the store', () => {
  it('is requested again, once for all, when the store did not answer at first', async () => {
    const client = new Client();
    const time = new StoreTime(client as unknown as RedisClient);
    client.answers.push(new Error('The store did not answer in time'), ['5000', '0']);
    client.emit('ready');
    await time.measured();
    expect(time.isKnown).to.equal(false);
    await Promise.all([time.measured(), time.measured()]);
    expect(time.isKnown).to.equal(true);
    expect(client.answers).to.deep.equal([]);
    expect(time.in(1000)).to.be.within(5_001_000, 5_002_000);
  });
});
