import { expect } from 'chai';
import { Browser } from '../../support/browser/browser.ts';
import { DashboardWindow } from '../../support/browser/dashboard-window.ts';
import { ServiceProcess } from '../../support/service-process.ts';
import { StartedServices } from '../../support/started-services.ts';

/** More jobs than one request of a repair takes, which is a thousand. */
const MANY = 12_000;
const BATCH = 4000;

/**
 * The worst that a client may send: markup, both writing directions, zero-width letters, and no place to break a line.
 */
const HOSTILE = `<img src=x onerror="document.title='broken'">\u202Eevil\u200b`;
const RIGHT_TO_LEFT = 'تقرير-المبيعات-الشهري';
const LONG = 'w'.repeat(100);
const MEGABYTE = 1_000_000;

const NAMES = ['<b>bold</b>', RIGHT_TO_LEFT, LONG, '👩‍👩‍👧🚀-team'];

describe('The dashboard at its limits', function () {
  this.timeout(60_000);
  const services = new StartedServices();
  let service: ServiceProcess;
  let browser: Browser;
  let window: DashboardWindow;

  before(async () => {
    service = await services.start({ STORE: 'memory' });
    browser = await Browser.start();
    window = await DashboardWindow.open(browser, service.url);
    await window.openSession(ServiceProcess.token);
  });

  beforeEach(async () => {
    await window.resize(1280, 'light');
  });

  afterEach(() => {
    expect(window.problems.splice(0)).to.deep.equal([]);
  });

  after(async () => {
    await browser.stop();
    await services.kill();
  });

  /** Waits until the page is no wider than the window, since charts adapt to its width a moment later. */
  const fits = (): Promise<void> =>
    window.waitFor(`document.documentElement.scrollWidth <= innerWidth`);

  // holds: dashboard.budget
  it('paints first after three requests', async () => {
    // A fresh window, since cached files are there before they are requested.
    const fresh = await DashboardWindow.open(browser, service.url);
    await fresh.openSession(ServiceProcess.token);
    await fresh.openWithRequests('/dashboard', 3);
    await fresh.waitFor(`performance.getEntriesByName('first-contentful-paint').length === 1`);
    await fresh.close();
  });

  // holds: dashboard.still
  it('moves nothing once it is seen', async () => {
    await service.call('POST', '/queues/still/jobs', [{ name: 'scale', data: null }]);
    for (const path of ['/dashboard', '/dashboard/failures', '/dashboard/system']) {
      await window.goTo(path);
      await window.waitFor(`!document.body.innerText.includes('Loading …')`);
      const moved = await window.read<number>(
        `new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntries().reduce((sum, { value }) => sum + value, 0))).observe({ type: 'layout-shift', buffered: true })
          || setTimeout(resolve, 500, 0))`,
      );
      expect(moved, path).to.be.below(0.1);
    }
  });

  // holds: dashboard.replicas
  it('reads again what a proxy could not pass on', async () => {
    const rows = (count: number): Promise<void> =>
      window.waitFor(`document.querySelectorAll('tr[data-row]').length === ${count}`);
    await service.call('POST', '/queues/proxied/jobs', [{ name: 'one', data: null }]);
    await window.goTo('/dashboard/queues/proxied?state=waiting');
    await rows(1);
    await window.failNext('/queues/proxied/jobs');
    await service.call('POST', '/queues/proxied/jobs', [{ name: 'other', data: null }]);
    await window.waitFor(`document.body.innerText.includes('HTTP 502')`);
    expect(await window.text()).not.to.include('<html>');
    await rows(2);
  });

  // holds: dashboard.text
  it('keeps its layout, wide and narrow, with any names and values that clients choose', async () => {
    const opts = { jobId: 'hostile' };
    const data = { [HOSTILE]: RIGHT_TO_LEFT, long: 'x'.repeat(MEGABYTE) };
    for (const name of NAMES) {
      const path = `/queues/${encodeURIComponent(name)}/jobs`;
      const jobs = [
        { name: HOSTILE, data, opts },
        { name: LONG.repeat(10), data: null },
      ];
      expect((await service.call('POST', path, jobs)).status).to.equal(200);
      await service.call('POST', `${path}/hostile/cancel`, { reason: `${HOSTILE} ${LONG}` });
    }
    const [, , long = ''] = NAMES;
    const paths = [
      '/dashboard',
      `/dashboard/queues/${long}`,
      ...NAMES.map((name) => `/dashboard/queues/${encodeURIComponent(name)}/jobs/hostile`),
      `/dashboard/flows/${long}/hostile`,
      '/dashboard/failures',
      '/dashboard/activity',
    ];
    for (const path of paths) {
      await window.goTo(path);
      await window.waitFor(`!document.body.innerText.includes('Loading …')`);
      for (const width of [1280, 1200, 360]) {
        await window.resize(width, 'light');
        await fits();
      }
      expect(await window.read(`document.querySelectorAll('main :is(img, b)').length`)).to.equal(0);
    }
  });

  it('shows all of a text of a megabyte on request, as text', async () => {
    const data = { text: `${'x'.repeat(MEGABYTE)}<b>end</b>` };
    await service.call('POST', '/queues/texts/jobs', [{ name: 'long', data }]);
    await window.goTo('/dashboard/queues/texts/jobs/1');
    await window.click('main .card button', 'Load all');
    await window.click('[aria-label=Data] button', String(data.text.length - 10_000));
    await window.waitFor(
      `document.querySelector('[aria-label=Data]').textContent.includes('<b>end</b>')`,
    );
    await fits();
  });

  it('is readable at 200 %, on the width of a phone', async () => {
    // At 200 %, a window of 640 pixels shows as much as one of 320.
    await window.resize(320, 'light');
    for (const path of ['/dashboard', '/dashboard/workers', '/dashboard/system']) {
      await window.goTo(path);
      await fits();
    }
  });

  // holds: dashboard.bulk
  it('adds up the outcomes of 12,000 jobs when one of them is removed in the meantime', async () => {
    const jobs = Array.from({ length: BATCH }, () => ({ name: 'scale', data: null }));
    for (let added = 0; added < MANY; added += BATCH) {
      await service.call('POST', '/queues/many/jobs', jobs);
    }
    let left = MANY;
    while (left > 0) {
      const { body } = await service.call('POST', '/queues/many/cancel', { all: true });
      left = (body as { remaining: number }).remaining;
    }
    await window.goTo('/dashboard/queues/many?state=failed');
    await window.click('.bulk button', 'Retry all');
    await window.waitFor(`/12.000 jobs match/.test(document.querySelector('dialog').innerText)`);
    await window.type('dialog input', String(MANY));
    await service.call('DELETE', '/queues/many/jobs/17');
    await window.click('dialog .buttons button', 'Retry');
    await window.waitFor(
      `/11.999 retried, 1 had changed state/.test(document.querySelector('dialog').innerText)`,
    );
    const { body } = await service.call('GET', '/queues/many');
    expect((body as { counts: object }).counts).to.include({ waiting: MANY - 1, failed: 0 });
  });

  // holds: dashboard.page
  it('says without JavaScript where else to look, with a link that works', async () => {
    const fresh = await DashboardWindow.open(browser, service.url);
    await fresh.openWithoutScripts('/dashboard/queues/mail');
    expect(await fresh.text()).to.include('The dashboard needs JavaScript');
    await fresh.read(`document.querySelector('noscript a').click()`);
    await fresh.waitFor(`location.pathname === '/docs'`);
    expect(fresh.problems).to.deep.equal([]);
    await fresh.close();
  });

  it('keeps the shapes of states in forced colours', async () => {
    await service.call('POST', '/queues/coloured/jobs', [{ name: 'scale', data: null }]);
    await window.prefer('forced-colors', 'active');
    await window.goTo('/dashboard/queues/coloured');
    await window.waitFor(`document.querySelector('td .icon') !== null`);
    expect(await window.read(`matchMedia('(forced-colors: active)').matches`)).to.equal(true);
    const [stroke, behind] = await window.read<string[]>(
      `[getComputedStyle(document.querySelector('td .icon')).stroke, getComputedStyle(document.body).backgroundColor]`,
    );
    expect(stroke)
      .to.match(/^rgb\(/)
      .and.not.to.equal(behind);
  });

  it('returns to the former scroll position, on the link that was followed', async () => {
    const jobs = Array.from({ length: 50 }, () => ({ name: 'scale', data: null }));
    await service.call('POST', '/queues/far/jobs', jobs);
    await window.goTo('/dashboard/queues/far?state=waiting');
    const link = `document.querySelectorAll('tr[data-row] a')[40]`;
    await window.waitFor(`${link} !== undefined`);
    await window.read(`${link}.focus(), ${link}.scrollIntoView({ block: 'center' })`);
    const [before, id] = await window.read<[number, string]>(`[scrollY, ${link}.innerText]`);
    await window.press('Enter');
    await window.waitFor(`document.querySelector('.timeline') !== null && scrollY === 0`);
    await window.read('history.back()');
    await window.waitFor(`document.activeElement?.innerText === ${JSON.stringify(id)}`);
    await window.waitFor(`Math.abs(scrollY - ${before}) < 2`);
  });
});
