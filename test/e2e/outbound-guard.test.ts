import { expect } from 'chai';
import type { EndpointServer } from '../support/endpoint-server.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { StartedServices } from '../support/started-services.ts';
import { ServiceContext } from './service/context.ts';

describe('OUTBOUND_POLICY=public', () => {
  const services = new StartedServices();
  const context = new ServiceContext(() => service);
  let service: ServiceProcess;

  afterEach(async () => {
    await context.cleanUp();
    await services.kill();
  });

  for (const WEBHOOK_CLIENT of ['undici', 'node-fetch']) {
    // holds: guard.final, guard.registration, guard.no-connection, guard.log
    it(`fails the jobs of an endpoint on loopback permanently, with ${WEBHOOK_CLIENT}`, async () => {
      service = await services.start({
        STORE: 'memory',
        WEBHOOK_CLIENT,
        OUTBOUND_POLICY: 'public',
      });
      const queue = context.newQueue();
      const endpoint: EndpointServer = await context.newEndpoint();
      await context.register(queue, endpoint);
      const [job] = await context.add(queue, { name: 'job', data: 1, opts: { attempts: 5 } });
      const failed = await context.finished(queue, job!.id);
      expect(failed).to.include({ failedReason: 'Address not allowed', attemptsMade: 1 });
      const { body } = await service.call('GET', `/queues/${queue}/jobs/${job!.id}/attempts`);
      expect(body).to.have.property('count', 1);
      expect(body).to.have.nested.include({
        'attempts[0].outcome': 'refused',
        'attempts[0].status': null,
        'attempts[0].reason': 'Address not allowed',
        'attempts[0].response': null,
      });
      expect(endpoint.connectionsMade).to.equal(0);
      const lines = service.logs.filter(({ address }) => address === '127.0.0.1');
      expect(lines).to.have.lengthOf(1);
      expect(lines[0]).to.include({ host: '127.0.0.1', level: 'warn' });
    });
  }

  // holds: destinations.guard
  it('fails jobs with a destination on loopback permanently, and calls none', async () => {
    service = await services.start({ STORE: 'memory', OUTBOUND_POLICY: 'public' });
    const queue = context.newQueue();
    const endpoint = await context.newEndpoint();
    const { url } = endpoint;
    const endpoints = { origins: [endpoint.origin] };
    await service.call('PUT', `/queues/${queue}/policy`, { endpoints });
    await service.call('POST', '/workers', { queue, endpoint: { url: null, method: 'post' } });
    const job = { name: 'job', data: 1, opts: { attempts: 5, endpoint: { url } } };
    for (const { id } of await context.add(queue, ...Array.from({ length: 12 }, () => job))) {
      const failed = await context.finished(queue, id);
      expect(failed).to.include({ failedReason: 'Address not allowed', attemptsMade: 1 });
    }
    expect(endpoint.connectionsMade).to.equal(0);
  });
});
