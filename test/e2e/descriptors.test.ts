import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { ServiceContext } from './service/context.ts';

/** How many files and connections the process may have open: an idle service has about forty. */
const OPEN_FILES = 100;

const JOBS = 300;

for (const [client, host] of [
  ['undici', 'localhost'],
  ['node-fetch', '127.0.0.1'],
  ['node-fetch', 'localhost'],
] as const) {
  // holds: bounds.shortage
  it(`fails no job for lack of file descriptors with WEBHOOK_CLIENT=${client}, calling ${host}`, async () => {
    const environment = { STORE: 'memory', WEBHOOK_CLIENT: client };
    const service = await ServiceProcess.start(environment, { openFiles: OPEN_FILES });
    const context = new ServiceContext(() => service);
    const endpoint = await context.newEndpoint(async (_call, response) => {
      await sleep(20);
      response.end();
    });
    const queue = context.newQueue();
    const url = endpoint.url.replace('127.0.0.1', host);
    const jobs = Array.from({ length: JOBS }, () => ({ name: 'job', data: null }));
    await context.add(queue, ...jobs);
    await context.register(queue, endpoint, { url, opts: { concurrency: 5000 } });
    const ended = async (): Promise<unknown> => {
      const { body } = await context.call('GET', `/queues/${queue}/jobs?length=0`);
      const { counts } = body as { counts: { completed: number; failed: number } };
      return counts.completed + counts.failed === JOBS && counts;
    };
    const counts = await eventually('all jobs are finished', ended, 20_000);
    expect(counts).to.deep.include({ completed: JOBS, failed: 0 });
    expect((await context.read(queue, '1')).attemptsMade).to.equal(1);
    expect(endpoint.calls).to.have.lengthOf(JOBS);
    const said = service.logs.filter(({ message }) => message?.includes('ran short'));
    expect(said).to.have.lengthOf(1);
    expect(said[0]!['reason']).to.equal(`EMFILE ${new URL(url).origin}`);
    await context.cleanUp();
    await service.stop();
  }).timeout(40_000);
}
