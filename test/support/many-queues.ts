import { expect } from 'chai';
import type { ServiceProcess } from './service-process.ts';

/** Creates 10,000 queues, which have a job each: `whole`, and `team-0` to `team-9998`. */
export async function addManyQueues(service: ServiceProcess): Promise<void> {
  const children = Array.from({ length: 9999 }, (_, index) => ({
    queue: `team-${index}`,
    name: 'part',
    data: null,
  }));
  const flow = { queue: 'whole', name: 'whole', data: null, children };
  expect((await service.call('POST', '/flows', flow)).status).to.equal(200);
}
