import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Browser } from '../support/browser/browser.ts';
import { DashboardWindow } from '../support/browser/dashboard-window.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { StartedServices } from '../support/started-services.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import { Nginx } from './support/nginx.ts';

const SECONDS = 60;

/** Jobs that are added in a second, in batches of this size. */
const RATE = 5000;
const BATCH = 1000;

/** Jobs of the large flow beside its root. */
const CHILDREN = 9999;

describe('The dashboard under load', function () {
  this.timeout(5 * 60_000);
  const services = new StartedServices();
  let service: ServiceProcess;
  let browser: Browser;
  let window: DashboardWindow;

  beforeEach(async () => {
    service = await services.start({ STORE: 'memory' });
    browser = await Browser.start();
    window = await DashboardWindow.open(browser, service.url);
    await window.resize(1280, 'light');
    await window.signIn(ServiceProcess.token);
  });

  afterEach(async () => {
    await browser.stop();
    await services.kill();
  });

  for (const path of ['/dashboard', '/dashboard/queues/busy']) {
    it(`costs the browser little at ${RATE} jobs a second: ${path}`, async () => {
      await service.call('POST', '/queues/busy/jobs', [{ name: 'first', data: null }]);
      await window.goTo(path);
      await window.waitFor(`document.querySelector('tr[data-row]') !== null`);
      await sleep(5000);
      const before = await window.usage();
      const batch = Array.from({ length: BATCH }, () => ({ name: 'load', data: null }));
      for (let second = 0; second < SECONDS; second += 1) {
        const end = performance.now() + 1000;
        for (let added = 0; added < RATE; added += BATCH) {
          await service.call('POST', '/queues/busy/jobs', batch);
        }
        await service.call('POST', '/queues/busy/drain', {});
        await sleep(Math.max(0, end - performance.now()));
      }
      const after = await window.usage();
      const share = (after.scriptSeconds - before.scriptSeconds) / (after.seconds - before.seconds);
      const grown = (after.heapBytes - before.heapBytes) / 1e6;
      const digests = (after.messages - before.messages) / (after.seconds - before.seconds);
      process.stdout.write(
        `      ${(share * 100).toFixed(1)} % of a core, ${digests.toFixed(2)} digests/s, heap ${grown.toFixed(1)} MB\n`,
      );
      expect(share).to.be.below(0.05);
      expect(digests).to.be.at.most(1.1);
      expect(Math.abs(grown)).to.be.below(5);
      expect(window.problems).to.deep.equal([]);
    });
  }

  /** Adds a flow with a child in each of the queues. */
  async function addFlow(queues: readonly string[]): Promise<void> {
    const children = queues.map((queue) => ({ queue, name: 'part', data: null }));
    const flow = { queue: 'whole', name: 'whole', data: null, opts: { jobId: 'root' }, children };
    await service.call('POST', '/flows', flow);
  }

  it('shows fifty of ten thousand queues with 100 ms of script', async () => {
    await addFlow(Array.from({ length: CHILDREN }, (_, index) => `team-${index}`));
    const fresh = await DashboardWindow.open(browser, service.url);
    await fresh.resize(1280, 'light');
    await fresh.openSession(ServiceProcess.token);
    const scriptSeconds = await fresh.scriptUntil('/dashboard', 'tr[data-row]', 50);
    process.stdout.write(`      ${Math.round(scriptSeconds * 1000)} ms\n`);
    expect(scriptSeconds).to.be.at.most(0.1);
  });

  it(`opens a flow of ${CHILDREN + 1} jobs as a tree, without a drawing`, async () => {
    await addFlow(Array.from({ length: CHILDREN }, () => 'parts'));
    const start = performance.now();
    await window.goTo('/dashboard/flows/whole/root');
    await window.waitFor(`document.querySelectorAll('.tree li').length > 100`);
    const time = performance.now() - start;
    process.stdout.write(`      ${Math.round(time)} ms\n`);
    expect(time).to.be.below(3000);
    expect(await window.read(`document.querySelector('.drawing')`)).to.equal(null);
  });
});

describe('The dashboard of replicas that die', function () {
  this.timeout(2 * 60_000);
  const services = new StartedServices();
  let store: RedisServer;
  let browser: Browser;
  let nginx: Nginx;
  let replicas: ServiceProcess[];
  let window: DashboardWindow;

  beforeEach(async () => {
    store = await RedisServer.start();
    const environment = { STORE_URI: `redis://127.0.0.1:${store.port}` };
    replicas = [await services.start(environment), await services.start(environment)];
    nginx = await Nginx.start(replicas.map(({ url }) => Number(new URL(url).port)));
    browser = await Browser.start();
    window = await DashboardWindow.open(browser, nginx.origin);
    await window.resize(1280, 'light');
    await replicas[0]!.call('POST', '/queues/mail/jobs', [{ name: 'wait', data: null }]);
    await window.signIn(ServiceProcess.token);
    await window.goTo('/dashboard/queues/mail?state=waiting');
    await window.waitFor(`document.querySelectorAll('tr[data-row]').length === 1`);
  });

  afterEach(async () => {
    await browser.stop();
    await nginx.stop();
    await services.kill();
    await store.stop();
  });

  it('says within three seconds that the store is away', async () => {
    const shown = window.timeUntil(`document.querySelector('.strip-bad') !== null`);
    await store.kill();
    const time = await shown;
    process.stdout.write(`      ${Math.round(time)} ms\n`);
    expect(time).to.be.below(3000);
  });

  it('goes on at another replica, whichever is killed, without a reload', async () => {
    const marked = await window.read<number>('(window.marked = Math.random())');
    let rows = 1;
    for (const killed of [0, 1]) {
      await replicas[killed]!.kill();
      const port = new URL(replicas[killed]!.url).port;
      await replicas[1 - killed]!.call('POST', '/queues/mail/jobs', [{ name: 'more', data: null }]);
      rows += 1;
      await window.waitFor(`document.querySelectorAll('tr[data-row]').length === ${rows}`);
      replicas[killed] = await services.start({
        STORE_URI: `redis://127.0.0.1:${store.port}`,
        PORT: port,
      });
    }
    expect(await window.read('window.marked')).to.equal(marked);
  });
});
