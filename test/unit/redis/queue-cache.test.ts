import { expect } from 'chai';
import { QueueCache } from '../../../src/adapters/outbound/redis/layout/queue-cache.ts';

describe('QueueCache', () => {
  it('keeps the queues used last, no more than its size, and makes the others anew', () => {
    const cache = new QueueCache('bull', 2);
    const [first, second] = [cache.get('first'), cache.get('second')];
    expect(cache.get('first')).to.equal(first);
    cache.get('third');
    expect(cache.get('first')).to.equal(first);
    const again = cache.get('second');
    expect(again).not.to.equal(second);
    expect(again).to.deep.equal(second);
  });
});
