import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import { Browser } from '../support/browser/browser.ts';
import type { Page } from '../support/browser/page.ts';
import { eventually } from '../support/eventually.ts';
import { testStore } from '../support/redis/test-store.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { StartedProgram } from '../support/started-program.ts';
import { StartedServices } from '../support/started-services.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/live-progress-page');

/** What tests read of a page. */
interface Document {
  readonly body: { readonly innerText: string };
}

describe('The live progress page', () => {
  const services = new StartedServices();
  let environment: Record<string, string>;
  let service: ServiceProcess;
  let server: StartedProgram | undefined;
  let browser: Browser | undefined;
  let queue: string;

  before(async () => {
    browser = await Browser.start();
  });

  beforeEach(async () => {
    queue = `clips ${randomUUID()}`;
    const store = (await testStore()).uri;
    environment = { STORE_URI: store, WORKER_METADATA_KEY: `workers:${queue}` };
    service = await services.start(environment);
    server = await StartedProgram.start(
      process.execPath,
      ['--import', 'tsx', join(EXAMPLE, 'server.ts'), queue],
      { ...settings(), PORT: '0' },
    );
  });

  afterEach(async () => {
    await server?.kill();
    await services.kill();
  });

  after(() => browser?.stop());

  const settings = () => ({ JOBGATE_URL: service.url, JOBGATE_TOKEN: ServiceProcess.token });

  const work = async (): Promise<void> => {
    const sample = spawn(
      process.execPath,
      ['--import', 'tsx', join(EXAMPLE, 'sample-work.ts'), queue, '0.5'],
      { env: { ...process.env, ...settings() }, stdio: 'inherit' },
    );
    const [code] = (await once(sample, 'exit')) as [number];
    expect(code).to.equal(0);
  };

  const shows = (page: Page, ...texts: readonly string[]) =>
    eventually(`the page shows ${texts.join(', ')}`, async () => {
      const shown = await page.run(() => {
        const { document } = globalThis as unknown as { document: Document };
        return document.body.innerText.replace(/\s+/g, ' ');
      });
      return texts.every((text) => shown.includes(text));
    });

  it('shows the existing jobs, and how they end', async () => {
    const add = (name: string, opts = {}) =>
      service.call('POST', `/queues/${queue}/jobs`, [{ name, data: null, opts }]);
    await add('Already there');
    await add('For later', { delay: 3_600_000 });
    const page = await browser!.open(server!.url);
    await shows(page, queue, 'Live', 'waiting 2', 'Already there', 'For later');
    const { body } = await service.call('POST', `/queues/${queue}/jobs/claim`, {});
    const [{ job, token }] = body as [{ job: { id: string }; token: string }];
    const jobs = `/queues/${queue}/jobs/${job.id}`;
    await service.call('POST', `${jobs}/progress`, 30, token);
    await shows(page, 'waiting 1 running 1', 'Already there 30 % Running');
    await service.call('POST', `${jobs}/fail`, { reason: 'No <b>luck</b>', retry: false }, token);
    await shows(page, 'failed 1', 'Already there 30 % Failed: No <b>luck</b>');
    await page.close();
  });

  it('reconnects to a service that was away, and has missed nothing', async () => {
    const page = await browser!.open(server!.url);
    await shows(page, queue, 'Live', 'waiting 0');
    await service.call('POST', `/queues/${queue}/jobs`, [{ name: 'First', data: null }]);
    await shows(page, 'First');
    await service.kill();
    await shows(page, 'Reconnecting');
    const other = await services.start(environment);
    await other.call('POST', `/queues/${queue}/jobs`, [{ name: 'Second', data: null }]);
    const { port } = new URL(service.url);
    service = await services.start({ ...environment, PORT: port });
    await shows(page, 'Live', 'waiting 2', 'First', 'Second');
    await page.close();
  });

  it('shows the sample work until it ends', async () => {
    const page = await browser!.open(server!.url);
    await work();
    await shows(page, 'waiting 0 running 0 completed 5 failed 1', 'Trailer, 30 seconds.mp4 100 %');
    await page.close();
  });
});
