import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import type { RedisClient } from '../../../src/adapters/outbound/redis/connection/redis-client.ts';
import { StoreTime } from '../../../src/adapters/outbound/redis/connection/store-time.ts';
import { silentLogger } from '../../support/silent-logger.ts';

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
  let client: Client;
  let warnings: string[];
  let time: StoreTime;

  beforeEach(() => {
    client = new Client();
    warnings = [];
    const logger = { ...silentLogger, warn: (text: string) => void warnings.push(text) };
    time = new StoreTime(client as unknown as RedisClient, logger);
  });

  afterEach(() => client.emit('end'));

  it('is requested again, once for all, when the store did not answer at first', async () => {
    client.answers.push(new Error('The store did not answer in time'), ['5000', '0']);
    client.emit('ready');
    await time.measured();
    expect(time.isKnown).to.equal(false);
    await Promise.all([time.measured(), time.measured()]);
    expect(time.isKnown).to.equal(true);
    expect(client.answers).to.deep.equal([]);
    expect(time.in(1000)).to.be.within(5_001_000, 5_002_000);
    expect(warnings).to.deep.equal([]);
  });

  // holds: store.clock-steps
  it('follows a clock that is set, and one line says by how much', async () => {
    client.answers.push(['5000', '0'], ['5060', '0'], ['5060', '0'], ['5000', '0']);
    client.emit('ready');
    await time.measured();
    const { offset } = time;
    expect(time.wasSetSince(offset)).to.equal(false);
    await time.measureAgain();
    expect(time.wasSetSince(offset)).to.equal(true);
    expect(time.in(0)).to.be.within(5_060_000, 5_061_000);
    await time.measureAgain();
    await time.measureAgain();
    expect(time.wasSetSince(offset)).to.equal(false);
    expect(time.in(0)).to.be.within(5_000_000, 5_001_000);
    expect(warnings).to.deep.equal([
      'The clock of the store was set forward by 60 s: deadlines follow it',
      'The clock of the store was set back by 60 s: deadlines follow it',
    ]);
  });

  it('stays as it was measured last while the store does not answer', async () => {
    client.answers.push(['5000', '0'], new Error('The store did not answer in time'));
    client.emit('ready');
    await time.measured();
    await time.measureAgain();
    expect(time.in(0)).to.be.within(5_000_000, 5_001_000);
  });
});
