import { hostname } from 'node:os';
import { expect } from 'chai';
import type { AttemptJson } from '../../src/domain/attempt-record.ts';
import { EndpointServer } from '../support/endpoint-server.ts';
import { eventually } from '../support/eventually.ts';
import { testStore } from '../support/redis/test-store.ts';
import { ServiceProcess } from '../support/service-process.ts';

/** Stalled jobs are found in a second instead of a minute. */
const QUICK = { LOCK_DURATION: '1000', STALLED_INTERVAL: '500' };

describe('an attempt whose replica died', () => {
  // holds: attempts.outcomes
  it('is on record as stalled, with the replica, before the one that followed', async () => {
    const { uri } = await testStore();
    const environment = { ...QUICK, STORE_URI: uri, WORKER_METADATA_KEY: `stalled:${process.pid}` };
    const endpoint = await EndpointServer.start(() => undefined);
    const dying = await ServiceProcess.start(environment);
    const queue = `stalled-${process.pid}`;
    const path = `/queues/${queue}/jobs`;
    await dying.call('POST', '/workers', {
      queue,
      endpoint: { url: endpoint.url, method: 'post' },
    });
    await dying.call('POST', path, [{ name: 'job', data: 1 }]);
    await endpoint.nextCall();
    dying.signal('SIGKILL');
    endpoint.respond = (_call, response) => void response.end('done');
    const other = await ServiceProcess.start(environment);
    try {
      const attempts = await eventually('the job completes', async () => {
        const { body } = await other.call('GET', `${path}/1/attempts`);
        const read = (body as { readonly attempts: readonly AttemptJson[] }).attempts;
        return read.length === 2 && read;
      });
      const [stalled, completed] = attempts;
      expect(stalled).to.include({ number: 1, outcome: 'stalled', status: null, response: null });
      expect(stalled!.replica).to.equal(`${hostname()}:${dying.pid}`);
      expect(completed).to.include({ number: 2, outcome: 'completed', response: 'done' });
      expect(completed!.replica).to.equal(`${hostname()}:${other.pid}`);
      expect(completed!.startedAt).to.be.at.least(stalled!.endedAt);
    } finally {
      await Promise.all([dying.stop(), other.stop()]);
      await endpoint.close();
    }
  });
});
