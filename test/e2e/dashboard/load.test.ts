import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Browser } from '../../support/browser/browser.ts';
import { DashboardWindow } from '../../support/browser/dashboard-window.ts';
import { ServiceProcess } from '../../support/service-process.ts';
import { StartedServices } from '../../support/started-services.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import { Nginx } from '../../support/nginx.ts';
import { rounds } from '../../support/lane.ts';

/** Seconds before and during the measurement of the browser. */
const [SECONDS_BEFORE, SECONDS] = [rounds(5, 2), rounds(60, 4)];

/** The script time of a page, as a share of time, and how much its heap may grow or shrink. */
const [MOST_OF_A_CORE, MOST_BYTES] = [0.05, 5e6];

/** How many jobs are added per second, in batches of this size. */
const RATE = 5000;
const BATCH = 1000;

/** How many jobs the large flow has besides its root. */
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

  // holds: dashboard.load
  it(`uses little time of a browser at ${RATE} jobs a second`, async () => {
    await service.call('POST', '/queues/busy/jobs', [{ name: 'first', data: null }]);
    const windows = [window, await DashboardWindow.open(browser, service.url)];
    await windows[1]!.openSession(ServiceProcess.token);
    for (const [index, path] of ['/dashboard', '/dashboard/queues/busy'].entries()) {
      await windows[index]!.goTo(path);
      await windows[index]!.waitFor(`document.querySelector('tr[data-row]') !== null`);
    }
    await addAndDrain(SECONDS_BEFORE);
    const before = await Promise.all(windows.map((each) => each.usage()));
    await addAndDrain(SECONDS);
    const after = await Promise.all(windows.map((each) => each.usage()));
    for (const [index, { seconds, ...end }] of after.entries()) {
      const begin = before[index]!;
      const share = (end.scriptSeconds - begin.scriptSeconds) / (seconds - begin.seconds);
      const digests = (end.messages - begin.messages) / (seconds - begin.seconds);
      const grown = end.heapBytes - begin.heapBytes;
      process.stdout.write(
        `      ${(share * 100).toFixed(1)} % of a core, ${digests.toFixed(2)} digests/s, heap ${(grown / 1e6).toFixed(1)} MB\n`,
      );
      expect(share).to.be.below(MOST_OF_A_CORE);
      // A span has at most one digest more than it has seconds.
      expect(digests).to.be.within(0.2, 1.1 + 1 / (seconds - begin.seconds));
      expect(Math.abs(grown)).to.be.below(MOST_BYTES);
      expect(windows[index]!.problems).to.deep.equal([]);
    }
  });

  /** Adds jobs at this rate, and removes them again, for some seconds. */
  async function addAndDrain(seconds: number): Promise<void> {
    const batch = Array.from({ length: BATCH }, () => ({ name: 'load', data: null }));
    for (let second = 0; second < seconds; second += 1) {
      const end = performance.now() + 1000;
      for (let added = 0; added < RATE; added += BATCH) {
        await service.call('POST', '/queues/busy/jobs', batch);
      }
      await service.call('POST', '/queues/busy/drain', {});
      await sleep(Math.max(0, end - performance.now()));
    }
  }

  // holds: dashboard.flows
  it(`opens a flow of ${CHILDREN + 1} jobs as a tree, without a drawing`, async () => {
    const part = { queue: 'parts', name: 'part', data: null };
    const children = Array.from({ length: CHILDREN }, () => part);
    const flow = { queue: 'whole', name: 'whole', data: null, opts: { jobId: 'root' }, children };
    await service.call('POST', '/flows', flow);
    const start = performance.now();
    await window.goTo('/dashboard/flows/whole/root');
    await window.waitFor(`document.querySelectorAll('.tree li').length > 100`);
    process.stdout.write(`      ${Math.round(performance.now() - start)} ms\n`);
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

  // holds: dashboard.replicas
  it('continues on the other replica when either is killed, without a reload', async () => {
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
