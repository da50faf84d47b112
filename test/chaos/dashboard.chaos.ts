import { expect } from 'chai';
import { Browser } from '../support/browser/browser.ts';
import { DashboardWindow } from '../support/browser/dashboard-window.ts';
import { addManyQueues } from '../support/many-queues.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { StartedServices } from '../support/started-services.ts';

/** The script time (s) of the first page of queues, and how soon (ms) a page says that the store is away. */
const [LONGEST_SCRIPT, LATEST_STRIP] = [0.1, 3000];

/** What the dashboard promises of time, on a machine that does nothing else. */
describe('The dashboard on a quiet machine', function () {
  this.timeout(2 * 60_000);
  const services = new StartedServices();
  let browser: Browser;

  beforeEach(async () => {
    browser = await Browser.start();
  });

  afterEach(async () => {
    await browser.stop();
    await services.kill();
  });

  // holds: dashboard.size, dashboard.budget
  it('shows fifty of ten thousand queues with 100 ms of script', async () => {
    const service = await services.start({ STORE: 'memory' });
    await addManyQueues(service);
    const window = await DashboardWindow.open(browser, service.url);
    await window.resize(1280, 'light');
    await window.openSession(ServiceProcess.token);
    const script = await window.scriptUntil('/dashboard', 'tr[data-row]', 50);
    process.stdout.write(`      ${Math.round(script * 1000)} ms\n`);
    expect(script).to.be.at.most(LONGEST_SCRIPT);
  });

  // holds: dashboard.outage
  it('says within three seconds that the store is away', async () => {
    const store = await RedisServer.start();
    try {
      const service = await services.start({ STORE_URI: `redis://127.0.0.1:${store.port}` });
      const window = await DashboardWindow.open(browser, service.url);
      await window.signIn(ServiceProcess.token);
      const shown = window.timeUntil(`document.querySelector('.strip-bad') !== null`);
      await store.kill();
      const time = await shown;
      process.stdout.write(`      ${Math.round(time)} ms\n`);
      expect(time).to.be.below(LATEST_STRIP);
    } finally {
      await store.stop();
    }
  });
});
