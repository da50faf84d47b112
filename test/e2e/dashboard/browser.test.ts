import { expect } from 'chai';
import { Browser } from '../../support/browser/browser.ts';
import { DashboardWindow } from '../../support/browser/dashboard-window.ts';
import { eventually } from '../../support/eventually.ts';
import { ServiceProcess } from '../../support/service-process.ts';
import { StartedServices } from '../../support/started-services.ts';
import { PrefixProxy } from '../../support/prefix-proxy.ts';

const HOSTILE = `<img src=x onerror="document.title='broken'">\u202Eevil\u200b`;

/** Each page with its name in the frame; undefined if only another page links to it. */
/** Nothing listens there. */
const HOOK_URL = 'http://127.0.0.1:1/hooks';

const PAGES: readonly (readonly [name: string | undefined, path: string, heading: string])[] = [
  ['Queues', '/dashboard', 'Queues'],
  [undefined, '/dashboard/queues/thumbnails?state=failed', 'thumbnails'],
  [undefined, '/dashboard/queues/thumbnails/jobs/hostile', 'hostile'],
  ['Failures', '/dashboard/failures', 'Failures'],
  ['Workers', '/dashboard/workers', 'Workers'],
  [undefined, '/dashboard/workers/paused-queue', 'Worker of paused-queue'],
  ['Schedulers', '/dashboard/schedulers', 'Schedulers'],
  ['Flows', '/dashboard/flows', 'Flows'],
  [undefined, '/dashboard/flows/parents/root', 'Flow'],
  ['Hooks', '/dashboard/hooks', 'Hooks'],
  [undefined, '/dashboard/hooks/on-call', 'Hook on-call'],
  ['Activity', '/dashboard/activity', 'Activity'],
  ['System', '/dashboard/system', 'System'],
];

/** The axe rules on the look of a page, which depend on its width and its colours. */
const LOOK = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size'];

describe('The dashboard in a browser', function () {
  this.timeout(60_000);
  const services = new StartedServices();
  let service: ServiceProcess;
  let browser: Browser;
  let window: DashboardWindow;

  const failedJobs = async (queue: string, count: number): Promise<void> => {
    const jobs = Array.from({ length: count }, () => ({ name: 'scale', data: { file: 'dog' } }));
    await service.call('POST', `/queues/${queue}/jobs`, jobs);
    await service.call('POST', `/queues/${queue}/cancel`, { all: true });
  };

  before(async () => {
    service = await services.start({ STORE: 'memory' });
    browser = await Browser.start();
    await service.call('PUT', '/hooks/on-call', { url: HOOK_URL, events: ['job.cancelled'] });
    await failedJobs('thumbnails', 8);
    const opts = { jobId: 'hostile' };
    const data = { [HOSTILE]: HOSTILE, link: 'https://example.com/', big: { deep: { er: [1] } } };
    await service.call('POST', '/queues/thumbnails/jobs', [{ name: HOSTILE, data, opts }]);
    const reason = { reason: HOSTILE };
    await service.call('POST', '/queues/thumbnails/jobs/hostile/cancel', reason);
    const endpoint = { url: 'http://127.0.0.1:9/', method: 'post' };
    await service.call('POST', '/workers', { queue: 'paused-queue', endpoint });
    await service.call('POST', '/queues/paused-queue/pause');
    await service.call('PUT', '/queues/paused-queue/schedulers/nightly', {
      repeat: { pattern: '30 2 * * *', tz: 'Europe/Berlin' },
      job: { name: 'nightly', data: null },
    });
    await service.call('POST', '/flows', {
      queue: 'parents',
      name: 'publish',
      data: null,
      opts: { jobId: 'root' },
      children: [{ queue: 'paused-queue', name: HOSTILE, data: null }],
    });
    await service.call('POST', '/queues/paused-queue/jobs', [{ name: 'wait', data: null }]);
    window = await DashboardWindow.open(browser, service.url);
  });

  beforeEach(async () => {
    await window.resize(1280, 'light');
    await window.openSession(ServiceProcess.token);
  });

  afterEach(() => {
    expect(window.problems.splice(0)).to.deep.equal([]);
  });

  after(async () => {
    await browser.stop();
    await services.kill();
  });

  // holds: dashboard.token
  it('signs in with a token that leaves no trace, and comes back to the page', async () => {
    const fresh = await DashboardWindow.open(browser, service.url);
    await fresh.resize(1280, 'light');
    await fresh.goTo('/dashboard/queues/thumbnails', '#token');
    await fresh.type('#token', 'wrong');
    await fresh.click('form button');
    await fresh.waitFor(`document.querySelector('[role=alert]').innerText !== ''`);
    expect(await fresh.text('[role=alert]')).to.equal('The token is not valid');
    await fresh.type('#token', ServiceProcess.token);
    await fresh.click('form button');
    await fresh.waitFor(`document.querySelector('h1')?.innerText === 'thumbnails'`);
    const traces = await fresh.read<string>(
      `[document.cookie, location.href, document.documentElement.outerHTML, JSON.stringify(localStorage), JSON.stringify(sessionStorage)].join()`,
    );
    expect(traces).not.to.include(ServiceProcess.token);
    expect(traces).not.to.include('jobgate-session');
    await fresh.click('button', 'Sign out');
    await fresh.waitFor(`document.querySelector('#token') !== null`);
    await fresh.goTo('/dashboard', '#token');
    expect(fresh.problems).to.deep.equal([]);
    await fresh.close();
  });

  // holds: dashboard.pages
  it('reaches each page by its name, with one heading', async () => {
    await window.goTo('/dashboard');
    for (const [name, path, heading] of PAGES) {
      if (name === undefined) await window.goTo(path);
      else {
        await window.click('nav[aria-label="Pages"] a', name);
        await window.waitFor(`location.pathname === '${path}'`);
      }
      await window.waitFor(`document.querySelector('h1').innerText.includes('${heading}')`);
      expect(await window.read(`document.querySelectorAll('h1').length`)).to.equal(1);
    }
  });

  // holds: dashboard.accessible
  it('shows the bar in one row, with no button that is cut', async () => {
    await window.goTo('/dashboard');
    for (const width of [1200, 1280, 1440]) {
      await window.resize(width, 'light');
      const cut = await window.read<string[]>(
        `[...document.querySelectorAll('.tools button')]
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
          .map(({ innerText }) => innerText)`,
      );
      expect(cut, String(width)).to.deep.equal([]);
      expect(await window.read(`document.querySelector('.bar').offsetHeight`)).to.equal(49);
    }
    await window.resize(1280, 'light');
  });

  for (const [, path] of PAGES) {
    // holds: dashboard.accessible, dashboard.own
    it(`is accessible at ${path}, wide and light or narrow and dark`, async () => {
      await window.goTo(path);
      await window.waitFor(`!document.body.innerText.includes('Loading …')`);
      for (const [width, theme] of [
        [1280, 'light'],
        [360, 'dark'],
      ] as const) {
        await window.resize(width, theme);
        // The elements are the same, so only their look is checked again.
        const barriers = theme === 'light' ? await window.barriers() : await window.barriers(LOOK);
        expect(barriers, `${width} ${theme}`).to.deep.equal([]);
        const [scrolled = 0, seen = 0] = await window.read<number[]>(
          `[document.documentElement.scrollWidth, innerWidth]`,
        );
        expect(scrolled, `${width} ${theme}`).to.be.at.most(seen);
      }
    });
  }

  // holds: dashboard.text
  it('shows what clients put into jobs as text', async () => {
    await window.goTo('/dashboard/queues/thumbnails/jobs/hostile');
    // The options, which are JSON too, may be there before it.
    await window.waitFor(`document.querySelector('[aria-label=Data]') !== null`);
    expect(await window.text('h1')).to.include('<img src=x onerror=');
    expect(await window.text('.reason')).to.include('<img src=x onerror=');
    expect(await window.text('[aria-label=Data]')).to.include('<img src=x onerror=');
    expect(await window.read(`document.querySelectorAll('img').length`)).to.equal(0);
    expect(await window.read('document.title')).not.to.equal('broken');
  });

  // holds: dashboard.bulk
  it('repairs all matching jobs, once their number was shown and typed', async () => {
    await failedJobs('repaired', 120);
    await window.goTo('/dashboard/queues/repaired?state=failed&search=reason%3ACancelled');
    await window.click('.bulk button', 'Retry all');
    await window.waitFor(`document.querySelector('dialog')?.innerText.includes('120 jobs match')`);
    expect(await window.text('dialog')).to.include('{"reason":"Cancelled","statuses":["failed"]}');
    const isDisabled = `document.querySelector('dialog .buttons button').disabled`;
    expect(await window.read(isDisabled)).to.equal(true);
    await window.type('dialog input', '120');
    await window.waitFor(`!${isDisabled}`);
    await window.click('dialog .buttons button');
    await window.waitFor(
      `document.querySelector('dialog').innerText.includes('120 of 120 retried')`,
    );
    const { body } = await service.call('GET', '/queues/repaired');
    expect((body as { counts: object }).counts).to.include({ waiting: 120, failed: 0 });
  });

  // holds: dashboard.bulk
  it('repairs nothing if the filter of the page has changed since the preview', async () => {
    await failedJobs('unrepaired', 2);
    await window.goTo('/dashboard/queues/unrepaired?state=failed');
    await window.click('.bulk button', 'Retry all');
    await window.waitFor(`document.querySelector('dialog')?.innerText.includes('2 jobs match')`);
    await window.read(`history.replaceState(null, '', '?state=failed&search=name:other')`);
    await window.click('dialog .buttons button');
    await window.waitFor(`document.querySelector('dialog').innerText.includes('another filter')`);
    const { body } = await service.call('GET', '/queues/unrepaired');
    expect((body as { counts: object }).counts).to.include({ waiting: 0, failed: 2 });
  });

  // holds: dashboard.outage
  it('keeps showing its data, and says so, when the service is away', async () => {
    const mortal = await services.start({ STORE: 'memory' });
    await mortal.call('POST', '/queues/mail/jobs', [{ name: 'wait', data: null }]);
    const other = await DashboardWindow.open(browser, mortal.url);
    try {
      await other.signIn(ServiceProcess.token);
      await other.waitFor(`document.querySelector('td a.name') !== null`);
      await mortal.kill();
      await other.waitFor(`document.querySelector('.strip-bad') !== null`);
      expect(await other.text('.strip-bad')).to.include('The service cannot be reached');
      expect(await other.text('td a.name')).to.equal('mail');
    } finally {
      await other.close();
    }
  });

  // holds: dashboard.rights
  it('disables what a token may not do, and names the right', async () => {
    const made = await service.call('POST', '/tokens', { name: 'looker', rights: ['read'] });
    const { token, id } = made.body as { token: string; id: string };
    await window.openSession(token);
    await window.goTo('/dashboard/queues/thumbnails/jobs/hostile');
    await window.waitFor(`document.querySelector('.page-head button.primary') !== null`);
    const buttons = await window.read<[string, boolean, string][]>(
      `[...document.querySelectorAll('.page-head .buttons button')].map((each) => [each.innerText, each.disabled, each.title])`,
    );
    expect(buttons).to.deep.include(['Retry', true, 'Needs the right operate']);
    expect(await window.text('main')).to.include('needs the right data');
    await service.call('DELETE', `/tokens/${id}`);
    // Unless the page has already requested something by itself.
    await window.read(`document.querySelector('nav[aria-label="Pages"] a')?.click()`);
    await window.waitFor(`document.querySelector('#token') !== null`);
  });

  // holds: dashboard.rights
  it('requests only once what a token may not see, as each refusal is an entry of the audit', async () => {
    const token = { name: 'mailer', rights: ['read'], queues: ['mail'] };
    const made = await service.call('POST', '/tokens', token);
    await window.openSession((made.body as { token: string }).token);
    await window.goTo('/dashboard/queues/thumbnails');
    await window.waitFor(`document.querySelector('main').innerText.includes('may not use')`);
    // Longer than a page waits between two reads.
    const beats = `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/health/ready')).length`;
    const beaten = await window.read<number>(beats);
    await window.waitFor(`${beats} >= ${beaten + 3}`);
    const { body } = await service.call('GET', '/audit?who=mailer&outcome=refused');
    expect((body as { entries: unknown[] }).entries).to.have.lengthOf.at.most(2);
  });

  // holds: dashboard.modes
  it('offers no action when it is read-only', async () => {
    const readOnly = await services.start({ STORE: 'memory', DASHBOARD: 'readonly' });
    await readOnly.call('POST', '/queues/mail/jobs', [{ name: 'wait', data: null }]);
    const other = await DashboardWindow.open(browser, readOnly.url);
    try {
      await other.openSession(ServiceProcess.token);
      for (const path of [
        '/dashboard',
        '/dashboard/queues/mail',
        '/dashboard/queues/mail/jobs/1',
      ]) {
        await other.goTo(path);
        await other.waitFor(`document.querySelector('main').innerText.includes('mail')`);
        expect(await other.text('main')).not.to.match(/\b(?:Pause|Cancel|Delete|Add job)\b/);
      }
    } finally {
      await other.close();
    }
  });

  // holds: dashboard.base
  it('works below a path of a proxy', async () => {
    const proxy = await PrefixProxy.start('/tools/q', service.url);
    const behind = await DashboardWindow.open(browser, `${proxy.url}/tools/q`);
    try {
      await behind.signIn(ServiceProcess.token);
      await behind.click('td a.name', 'thumbnails');
      await behind.waitFor(`document.querySelector('h1').innerText === 'thumbnails'`);
      expect(await behind.read('location.pathname')).to.equal(
        '/tools/q/dashboard/queues/thumbnails',
      );
      await behind.goTo('/dashboard/queues/thumbnails?state=failed');
      await behind.click('td a.id');
      await behind.waitFor(`document.querySelector('h1').innerText.includes('failed')`);
      expect(behind.problems).to.deep.equal([]);
    } finally {
      await behind.close();
      await proxy.stop();
    }
  });

  it('can be used with the keyboard alone: a failed job is found and retried', async () => {
    await failedJobs('keyed', 1);
    await window.goTo('/dashboard/queues/keyed?state=failed');
    await window.waitFor(`document.querySelector('tr[data-row]') !== null`);
    await window.press('j');
    await window.press('Enter');
    await window.waitFor(`document.querySelector('.page-head .primary') !== null`);
    for (let tabs = 0; tabs < 30; tabs += 1) {
      await window.press('Tab');
      if ((await window.read(`document.activeElement.innerText`)) === 'Retry') break;
    }
    expect(await window.read(`getComputedStyle(document.activeElement).outlineStyle`)).to.equal(
      'solid',
    );
    await window.press('Enter');
    await eventually('the job waits again', async () => {
      const { body } = await service.call('GET', '/queues/keyed');
      return (body as { counts: { waiting: number } }).counts.waiting === 1;
    });
  });

  it('keeps the theme that was chosen in this browser', async () => {
    await window.goTo('/dashboard');
    const background = `getComputedStyle(document.documentElement).backgroundColor`;
    const light = await window.read(background);
    await window.press('t');
    await window.press('t');
    await window.waitFor(`document.documentElement.dataset.theme === 'dark'`);
    expect(await window.read(background)).not.to.equal(light);
    await window.goTo('/dashboard/system');
    expect(await window.read('document.documentElement.dataset.theme')).to.equal('dark');
    await window.press('t');
    await window.waitFor(`document.documentElement.dataset.theme === 'system'`);
  });

  it('retries the failed parts of a flow', async () => {
    const child = { queue: 'parts', name: 'part', data: null, opts: { jobId: 'failed-part' } };
    const flow = { queue: 'wholes', name: 'whole', data: null, opts: { jobId: 'whole' } };
    await service.call('POST', '/flows', { ...flow, children: [child] });
    await service.call('POST', '/queues/parts/jobs/failed-part/cancel');
    await window.goTo('/dashboard/flows/wholes/whole');
    await window.click('button', 'Retry 1 failed in parts');
    await eventually('the part waits again', async () => {
      const { body } = await service.call('GET', '/queues/parts/jobs/failed-part');
      return (body as { state: string }).state === 'waiting';
    });
  });
});
