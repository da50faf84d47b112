import { hostname } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import type { AttemptJson } from '../../src/domain/attempts/attempt-record.ts';
import { EndpointServer } from '../support/endpoint-server.ts';
import { eventually } from '../support/eventually.ts';
import { testStore } from '../support/redis/test-store.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { isSlowLane } from '../support/lane.ts';

/** Stalled jobs are found in a second instead of a minute. */
const QUICK = { LOCK_DURATION: '1000', STALLED_INTERVAL: '500' };

describe('a replica that stands still', () => {
  if (isSlowLane) {
    // holds: settings.pause
    it('keeps its job while its lock lasts, even if it stops just before a renewal', async function () {
      this.timeout(40_000);
      const { uri } = await testStore();
      const environment = {
        LOCK_DURATION: '8000',
        STALLED_INTERVAL: '1000',
        STORE_URI: uri,
        WORKER_METADATA_KEY: `standing:${process.pid}`,
      };
      let finish = (): void => undefined;
      const endpoint = await EndpointServer.start((_call, response) => {
        finish = () => response.end('done');
      });
      const runner = await ServiceProcess.start(environment);
      const queue = `standing-${process.pid}`;
      const path = `/queues/${queue}/jobs`;
      const target = { url: endpoint.url, method: 'post' };
      await runner.call('POST', '/workers', { queue, endpoint: target });
      await runner.call('POST', path, [{ name: 'job', data: 1 }]);
      await endpoint.nextCall();
      const other = await ServiceProcess.start(environment);
      const redis = new Redis(uri);
      try {
        let left = Infinity;
        await eventually('the lock is renewed', async () => {
          const before = left;
          left = await redis.pttl(`bull:${queue}:1:lock`);
          return left > before;
        });
        // A lock is renewed every half of its duration, so little more than half is left now.
        await setTimeout(3800);
        runner.signal('SIGSTOP');
        await setTimeout(7200);
        runner.signal('SIGCONT');
        await setTimeout(1500);
        finish();
        await eventually('the job completes', async () => {
          const { body } = await other.call('GET', `${path}/1`);
          return (body as { readonly state: string }).state === 'completed';
        });
        expect(endpoint.calls).to.have.lengthOf(1);
      } finally {
        redis.disconnect();
        await Promise.all([runner.stop(), other.stop()]);
        await endpoint.close();
      }
    });
  }
});

describe('an attempt whose replica died', () => {
  // holds: attempts.outcomes
  it('is recorded as stalled, with the replica, before the one that followed', async () => {
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
