import { expect } from 'chai';
import { queueName } from '../../../src/domain/queue-name.ts';
import { workerShape } from '../../../src/domain/worker.ts';
import { readWorkerRecord } from '../../../src/adapters/outbound/redis/workers/worker-record.ts';

const SHAPE = workerShape(queueName({ min: 3, max: 100 }));

describe('readWorkerRecord', () => {
  // holds: calls.method-case
  it('takes a method in upper case, as another program may have stored it', () => {
    const endpoint = { url: 'http://localhost/', method: 'PUT' };
    const text = JSON.stringify({ queue: 'mail', endpoint });
    expect(readWorkerRecord('mail', text, SHAPE)).to.deep.equal({
      queue: 'mail',
      endpoint: { ...endpoint, method: 'put' },
    });
  });
});
