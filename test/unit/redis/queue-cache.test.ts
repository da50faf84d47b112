import { queueNamed } from '../../support/queue-named.ts';
import { expect } from 'chai';
import { QueueCache } from '../../../src/adapters/outbound/redis/layout/queue-cache.ts';

describe('QueueCache', () => {
  // holds: variables.queue-cache-size, limits.queue-cache
  it('keeps the queues used last, no more than its size, and makes the others anew', () => {
    const cache = new QueueCache('bull', 2);
    const [first, second] = [cache.get(queueNamed('first')), cache.get(queueNamed('second'))];
    expect(cache.get(queueNamed('first'))).to.equal(first);
    cache.get(queueNamed('third'));
    expect(cache.get(queueNamed('first'))).to.equal(first);
    const again = cache.get(queueNamed('second'));
    expect(again).not.to.equal(second);
    expect(again).to.deep.equal(second);
  });
});
