import { join } from 'node:path';
import { expect } from 'chai';
import { TemporaryFolder } from '../support/embedded/temporary-folder.ts';
import { eventually } from '../support/eventually.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { StartedProgram } from '../support/started-program.ts';
import { StartedServices } from '../support/started-services.ts';

const WORKER = join(import.meta.dirname, '../../examples/order-steps/worker.js');

describe('The order in steps', () => {
  const services = new StartedServices();
  let folder: TemporaryFolder;
  let service: ServiceProcess;
  let worker: StartedProgram;

  beforeEach(async () => {
    folder = new TemporaryFolder();
    await startAll();
  });

  afterEach(async () => {
    await worker.kill();
    await services.kill();
    folder.remove();
  });

  async function startAll(): Promise<void> {
    service = await services.start({ STORE: 'embedded', STORE_PATH: folder.in('data') });
    worker = await StartedProgram.start(process.execPath, [WORKER, '--port', '0'], {});
    const endpoint = { url: worker.url, method: 'post', steps: true };
    const { status } = await service.call('POST', '/workers', { queue: 'orders', endpoint });
    expect(status).to.equal(200);
  }

  /** Adds an order, and returns its path once it waits for its payment. */
  async function waitingOrder(): Promise<string> {
    const order = { name: 'order', data: { item: 'lamp', amount: 4900 } };
    const { body } = await service.call('POST', '/queues/orders/jobs', [order]);
    const [{ id }] = body as [{ readonly id: string }];
    const path = `/queues/orders/jobs/${id}`;
    await eventually('the order waits for its payment', async () => {
      const { body: job } = await service.call('GET', path);
      const { suspended } = job as { suspended: { signals: readonly string[] } | null };
      return suspended?.signals[0] === `paid:${id}`;
    });
    return path;
  }

  const result = async (path: string): Promise<unknown> =>
    (await service.call('GET', `${path}/result`)).body;

  // holds: steps.example
  it('ships once it is paid, also after everything was killed', async () => {
    const path = await waitingOrder();
    await worker.kill();
    await service.kill();
    await startAll();
    const sent = await service.call('POST', '/queues/orders/signals/paid:1', { by: 'card' });
    expect(sent.body).to.deep.equal({ woken: 1 });
    expect(await result(path)).to.deep.equal({
      state: 'completed',
      returnvalue: { state: 'shipped', by: 'card', parcel: 'parcel_1.ship', item: 'lamp' },
    });
  });

  // holds: steps.example
  it('is cancelled when nobody pays in time', async () => {
    const path = await waitingOrder();
    // The test does not wait for a day.
    expect((await service.call('POST', `${path}/promote`)).body).to.equal('OK');
    expect(await result(path)).to.deep.equal({
      state: 'completed',
      returnvalue: { state: 'cancelled', cancelled: 'pay_1.charge' },
    });
  });
});
