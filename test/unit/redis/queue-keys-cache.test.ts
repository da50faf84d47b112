import { queueNamed } from '../../support/queue-named.ts';
import { expect } from 'chai';
import { QueueKeysCache } from '../../../src/adapters/outbound/redis/layout/queue-keys-cache.ts';

describe('QueueKeysCache', () => {
  // holds: variables.queue-cache-size, limits.queue-cache
  it('keeps the keys of the last used queues up to its size, and builds the others again', () => {
    const cache = new QueueKeysCache('bull', 2);
    const [first, second] = [cache.get(queueNamed('first')), cache.get(queueNamed('second'))];
    expect(cache.get(queueNamed('first'))).to.equal(first);
    cache.get(queueNamed('third'));
    expect(cache.get(queueNamed('first'))).to.equal(first);
    const again = cache.get(queueNamed('second'));
    expect(again).not.to.equal(second);
    expect(again).to.deep.equal(second);
  });
});
