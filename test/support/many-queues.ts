import { expect } from 'chai';
import { MOST_FLOW_QUEUES } from '../../src/domain/flows/flow.ts';
import type { ServiceProcess } from './service-process.ts';

/** Creates 10,000 queues, which have a job each: `whole`, and `team-0` to `team-9998`. */
export async function addManyQueues(service: ServiceProcess): Promise<void> {
  const queues = ['whole', ...Array.from({ length: 9999 }, (_, index) => `team-${index}`)];
  for (let first = 0; first < queues.length; first += MOST_FLOW_QUEUES) {
    const [root, ...children] = queues
      .slice(first, first + MOST_FLOW_QUEUES)
      .map((queue) => ({ queue, name: 'part', data: null }));
    expect((await service.call('POST', '/flows', { ...root, children })).status).to.equal(200);
  }
}
