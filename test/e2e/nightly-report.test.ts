import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ServiceProcess } from '../support/service-process.ts';
import { StartedProgram } from '../support/started-program.ts';
import { StartedServices } from '../support/started-services.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/nightly-report');

const PATH = '/queues/reports/schedulers/nightly';

interface Shown {
  readonly next: readonly number[];
  readonly last: { readonly jobId: string; readonly state: string } | null;
}

describe('The nightly report', () => {
  const services = new StartedServices();
  let service: ServiceProcess;
  let worker: StartedProgram;

  beforeEach(async () => {
    service = await services.start({ STORE: 'memory' });
    const args = [join(EXAMPLE, 'worker.js'), '--port', '0'];
    worker = await StartedProgram.start(process.execPath, args, {});
    const body = { queue: 'reports', endpoint: { url: worker.url, method: 'post' } };
    expect((await service.call('POST', '/workers', body)).status).to.equal(200);
  });

  afterEach(async () => {
    await worker.kill();
    await services.kill();
  });

  const save = async (): Promise<Shown> => {
    const text = await readFile(join(EXAMPLE, 'scheduler.json'), 'utf8');
    const { status, body } = await service.call('PUT', PATH, JSON.parse(text));
    expect(status).to.equal(200);
    expect(body).to.include({ overlap: 'skip' });
    return body as Shown;
  };

  const result = async (id: string): Promise<unknown> =>
    (await service.call('GET', `/queues/reports/jobs/${id}/result`)).body;

  /** The day before a moment, in Berlin, and its report. */
  const expected = (time: number): object => {
    const day = new Date(time - 86_400_000).toLocaleDateString('en-CA', {
      timeZone: 'Europe/Berlin',
    });
    const [, month = 0, date = 0] = day.split('-').map(Number);
    const orders = month + date;
    const total = orders * 995 + 100 * ((orders * (orders - 1)) / 2);
    return { state: 'completed', returnvalue: { day, orders, total } };
  };

  // holds: schedulers.example
  it('is made at half past two, about the day before', async () => {
    const { next } = await save();
    expect(await save()).to.deep.include({ next, last: null });
    const [first = 0] = next;
    const time = new Date(first).toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin' });
    expect(time).to.equal('02:30:00');
    const id = `repeat:nightly:${first}`;
    // The test does not wait for the night.
    const promoted = await service.call('POST', `/queues/reports/jobs/${id}/promote`);
    expect(promoted.status).to.equal(200);
    expect(await result(id)).to.deep.equal(expected(first));
    const { body } = await service.call('GET', PATH);
    expect((body as Shown).last).to.deep.include({ jobId: id, state: 'completed' });
  });

  // holds: schedulers.example
  it('is made by hand, about yesterday', async () => {
    await save();
    const { body } = await service.call('POST', `${PATH}/run`);
    const { id, timestamp } = body as { readonly id: string; readonly timestamp: number };
    expect(await result(id)).to.deep.equal(expected(timestamp));
  });
});
