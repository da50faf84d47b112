import { expect } from 'chai';
import { queueName } from '../../../src/domain/queues/queue-name.ts';
import { workerShape } from '../../../src/domain/workers/worker.ts';
import { readWorkerRecord } from '../../../src/adapters/outbound/redis/kept/worker-record.ts';

const SHAPE = workerShape(queueName({ min: 3, max: 100 }));

describe('readWorkerRecord', () => {
  // holds: calls.method-case
  it('accepts a method in upper case, as another program may have stored it', () => {
    const endpoint = { url: 'http://localhost/', method: 'PUT' };
    const text = JSON.stringify({ queue: 'mail', endpoint });
    expect(readWorkerRecord('mail', text, SHAPE)).to.deep.equal({
      queue: 'mail',
      endpoint: { ...endpoint, method: 'put' },
    });
  });

  // holds: signing.hidden
  it('accepts no signed worker without its secrets, and repeats none', () => {
    const endpoint = { url: 'http://localhost/', method: 'put', signing: true };
    for (const secrets of [undefined, { current: 'whsec_', former: [] }]) {
      const text = JSON.stringify({ queue: 'mail', endpoint: { ...endpoint, secrets } });
      const read = readWorkerRecord('mail', text, SHAPE);
      expect(read).to.match(/^endpoint\.secrets/);
      expect(JSON.stringify(read)).not.to.contain('whsec_');
    }
  });
});
