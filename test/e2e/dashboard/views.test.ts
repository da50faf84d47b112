import { expect } from 'chai';
import { Browser } from '../../support/browser/browser.ts';
import { DashboardWindow } from '../../support/browser/dashboard-window.ts';
import { CuttingProxy } from '../../support/cutting-proxy.ts';
import { rounds } from '../../support/lane.ts';
import { addManyQueues } from '../../support/many-queues.ts';
import { RedisServer } from '../../support/redis/redis-server.ts';
import { ServiceProcess } from '../../support/service-process.ts';
import { StartedServices } from '../../support/started-services.ts';

const MINUTE = 60_000;
const MEGABYTE = 1_000_000;

/*
 * Both limits far exceed what is promised, since other tests run on the machine too. On a quiet machine,
 * `test/chaos/dashboard.chaos.ts` allows 100 ms of script and three seconds.
 */

/** How much script time the queues page takes to show fifty of ten thousand, in seconds. */
const LONGEST_SCRIPT = 0.5;

/** How soon a page says that the store is away, in ms. */
const LATEST_STRIP = 10_000;

describe('The views of the dashboard', function () {
  this.timeout(60_000);
  const services = new StartedServices();
  let service: ServiceProcess;
  let browser: Browser;
  let window: DashboardWindow;

  before(async () => {
    service = await services.start({ STORE: 'memory' });
    browser = await Browser.start();
    const endpoint = {
      url: 'http://127.0.0.1:9/hook',
      method: 'post',
      headers: { 'X-Secret': 'k' },
    };
    await service.call('POST', '/workers', { queue: 'mail', endpoint });
    await service.call('POST', '/queues/mail/pause');
    const jobs = ['acme', 'globex', 'acme'].map((id) => ({
      name: 'send',
      data: null,
      opts: { group: { id } },
    }));
    await service.call('POST', '/queues/mail/jobs', jobs);
    // Nothing listens there.
    const gone = { url: 'http://127.0.0.1:9/gone', method: 'post' };
    await service.call('POST', '/workers', { queue: 'broken', endpoint: gone });
    await service.call('POST', '/queues/broken/jobs', [{ name: 'scale', data: null }]);
    await service.call('PUT', '/queues/mail/schedulers/nightly', {
      repeat: { pattern: '30 2 * * *', tz: 'Europe/Berlin' },
      job: { name: 'nightly', data: { kept: true } },
    });
    await service.call('POST', '/flows', {
      queue: 'books',
      name: 'print',
      data: null,
      opts: { jobId: 'book' },
      children: [
        { queue: 'pages', name: 'page', data: null },
        { queue: 'pages', name: 'cover', data: null, opts: { jobId: 'cover' } },
      ],
    });
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

  // holds: dashboard.charts
  it('draws the day of a queue, and lists the jobs of a selected period', async () => {
    await window.goTo('/dashboard/queues/mail?range=1%20h');
    await window.waitFor(`document.querySelectorAll('.plot canvas').length === 2`);
    await window.click('.charts summary');
    await window.waitFor(`document.querySelectorAll('.charts tbody tr').length > 5`);
    await window.drag('.u-over');
    await window.waitFor(`new URL(location.href).searchParams.get('search')?.includes('from:')`);
    await window.waitFor(`document.querySelector('.pager')?.innerText.includes('Looked at')`);
  });

  it('opens the charts of a young queue at its last hour, and keeps a range that is chosen', async () => {
    await window.goTo('/dashboard/queues/mail');
    await window.waitFor(
      `document.querySelector('.chart-head [aria-current]').innerText === '1 h'`,
    );
    await window.waitFor(
      `document.querySelector('.charts figcaption').innerText.includes('1 min')`,
    );
    await window.click('.chart-head a', '24 h');
    await window.waitFor(
      `document.querySelector('.charts figcaption').innerText.includes('5 min')`,
    );
    await window.goTo(await window.read('location.pathname + location.search'));
    await window.waitFor(`document.querySelector('.charts figcaption') !== null`);
    expect(await window.text('.chart-head [aria-current]')).to.equal('24 h');
  });

  it('opens the charts of an older queue at its last day', async () => {
    const older = await DashboardWindow.open(browser, service.url);
    await older.openSession(ServiceProcess.token);
    // A job was added two hours ago.
    await older.changeAnswers(
      /\/figures\?from=/,
      `({ series, ...others }) => ({
        ...others,
        series: { ...series, added: series.added.with(-121, 1) },
      })`,
    );
    await older.goTo('/dashboard/queues/mail');
    await older.waitFor(`document.querySelector('.charts figcaption') !== null`);
    expect(await older.text('.chart-head [aria-current]')).to.equal('24 h');
    await older.close();
  });

  it('shows one reading of a queue both where it needs attention and in the table', async () => {
    const fresh = await DashboardWindow.open(browser, service.url);
    await fresh.openSession(ServiceProcess.token);
    // The blocked queues were read later than the table.
    await fresh.changeAnswers(
      /view=figures/,
      `({ at, total, queues }, url) => {
        const isLater = url.includes('state=blocked');
        const oldestWaiting = isLater ? 900_000 : 60_000;
        return {
          at: isLater ? at + 60_000 : at,
          total,
          queues: queues.map((queue) => ({ ...queue, oldestWaiting })),
        };
      }`,
    );
    await fresh.goTo('/dashboard');
    await fresh.waitFor(`document.querySelector('.need')?.innerText.includes('15 min')`);
    const row = `[...document.querySelectorAll('tr[data-row]')].find((each) => each.innerText.includes('mail'))`;
    await fresh.waitFor(`${row}?.innerText.includes('15 min')`);
    await fresh.close();
  });

  it('counts what completed in the first minute of a service', async () => {
    const fresh = await DashboardWindow.open(browser, service.url);
    await fresh.openSession(ServiceProcess.token);
    await fresh.changeAnswers(
      /\/figures$/,
      `({ series, ...others }) => {
        const completed = [...series.completed.fill(null).slice(1), 7];
        return { ...others, series: { ...series, completed } };
      }`,
    );
    await fresh.goTo('/dashboard');
    await fresh.waitFor(
      `document.querySelector('.context').innerText.includes('7 completed per minute')`,
    );
    await fresh.close();
  });

  it('shows a queue whose few jobs of the day all failed', async () => {
    const fresh = await DashboardWindow.open(browser, service.url);
    await fresh.openSession(ServiceProcess.token);
    await fresh.changeAnswers(
      /view=figures/,
      `({ queues: [queue], ...others }) => {
        const failing = { window: 86_400_000, ended: 4, failed: 4 };
        const attention = { reason: 'failing', severity: 6 };
        const report = { name: 'report', oldestWaiting: null, blocked: null, failing, attention };
        const queues = [{ ...queue, ...report }];
        return { ...others, total: 1, queues };
      }`,
    );
    await fresh.goTo('/dashboard');
    await fresh.waitFor(`document.querySelector('.need') !== null`);
    expect(await fresh.text('.need .state')).to.equal(
      'All 4 jobs that ended in the last 24 hours failed',
    );
    expect(await fresh.text('.need .button')).to.equal('See what failed');
    await fresh.close();
  });

  it('aligns the figures of the queues that need attention', async () => {
    const fresh = await DashboardWindow.open(browser, service.url);
    await fresh.openSession(ServiceProcess.token);
    await fresh.changeAnswers(
      /state=blocked/,
      `({ queues: [queue], ...others }) => {
        const needs = [['paused', 3], ['disabled', 31_200], ['open', 812]];
        const queues = needs.map(([reason, waiting], index) => ({
          ...queue,
          name: reason,
          blocked: { reason, detail: 'Nothing starts' },
          attention: { reason, severity: index + 1 },
          counts: { ...queue.counts, waiting },
          oldestWaiting: 900_000,
        }));
        return { ...others, queues };
      }`,
    );
    await fresh.resize(1280, 'light');
    await fresh.goTo('/dashboard');
    await fresh.waitFor(`document.querySelectorAll('.need').length === 3`);
    for (const part of ['.number', ':scope > .muted > :last-child', ':scope > :last-child']) {
      const ends = await fresh.read<number[]>(
        `[...document.querySelectorAll('.need')].map((need) => need.querySelector('${part}').getBoundingClientRect().right)`,
      );
      expect(new Set(ends.map(Math.round)).size, `${part} end at ${ends.join(', ')}`).to.equal(1);
    }
    await fresh.close();
  });

  it('shows the endpoint of a worker in one line, and scrolls a table that is too wide alone', async () => {
    const endpoint = { url: `http://127.0.0.1:9/${'one-part-of-many/'.repeat(5)}`, method: 'post' };
    await service.call('POST', '/workers', { queue: 'far', endpoint });
    await window.goTo('/dashboard/workers');
    await window.waitFor(`document.querySelectorAll('tr[data-row]').length === 3`);
    const heights = await window.read<number[]>(
      `[...document.querySelectorAll('td .id')].map((each) => each.getBoundingClientRect().height)`,
    );
    for (const height of heights) expect(height).to.be.below(30);
    await window.resize(800, 'light');
    expect(await window.read('document.documentElement.scrollWidth')).to.equal(800);
  });

  it('shows the queue of each event in one line on a phone', async () => {
    await window.resize(360, 'light');
    await window.goTo('/dashboard/activity');
    await window.waitFor(`document.body.innerText.includes('Nothing has happened')`);
    await service.call('POST', '/queues/thumbnails/jobs', [{ name: 'scale', data: null }]);
    await window.waitFor(`document.querySelector('.events .text') !== null`);
    const heights = await window.read<number[]>(
      `[...document.querySelectorAll('.events .text')].map((each) => each.getBoundingClientRect().height)`,
    );
    for (const height of heights) expect(height).to.be.below(30);
  });

  it('begins a row on a phone with a line for the name and the state alone', async () => {
    await window.resize(360, 'light');
    for (const path of ['', '/workers', '/queues/mail']) {
      await window.goTo(`/dashboard${path}`);
      await window.waitFor(`document.querySelector('tr[data-row]') !== null`);
      const starts = await window.read<[number, number][]>(
        `[...document.querySelectorAll('tr[data-row]')].map((row) => {
          const { bottom } = row.querySelector('.phone-beside').getBoundingClientRect();
          return [bottom, row.querySelector('td.numeric').getBoundingClientRect().top];
        })`,
      );
      for (const [bottom, top] of starts) expect(top, path).to.be.at.least(bottom);
    }
  });

  // holds: dashboard.groups
  it('pauses a group, and gives another a weight', async () => {
    await window.goTo('/dashboard/queues/mail');
    await window.click('.tabs a', 'Groups');
    // Including the group of the jobs without one.
    await window.waitFor(`document.querySelectorAll('tr[data-row]').length === 3`);
    await window.click('tr[data-row] button', 'Pause');
    await window.click('dialog button', 'Pause');
    await window.waitFor(`document.querySelector('tr[data-row]').innerText.includes('paused')`);
    await window.click('tr[data-row] button', 'Edit');
    await window.type('dialog input', '7');
    // The typed value is sent once the dialog shows it.
    await window.waitFor(`document.querySelector('dialog').textContent.includes('"weight":7')`);
    await window.click('dialog .buttons button', 'Save');
    await window.waitFor(`document.querySelector('dialog') === null`);
    const { body } = await service.call('GET', '/queues/mail/groups/acme');
    expect(body).to.deep.include({ paused: true, settings: { weight: 7 } });
    await window.click('tr[data-row] a.name', 'acme');
    await window.waitFor(`document.querySelectorAll('tr[data-row]').length === 2`);
    expect(await window.text('.pager')).to.include('Looked at');
  });

  // holds: dashboard.causes
  it('opens a cause with its jobs and the changes before it', async () => {
    await window.goTo('/dashboard/failures');
    await window.click('tr[data-row] a');
    await window.waitFor(`document.querySelector('.cause')?.innerText.includes('Job 1')`);
    await window.waitFor(`document.querySelector('.cause').innerText.includes('worker.register')`);
    await window.click('tr[data-row] .menu-opener');
    await window.click('tr[data-row] button', 'Ignore for a day');
    await window.waitFor(`document.querySelectorAll('tr[data-row]').length === 0`);
    await window.click('.pager button', 'Show');
    await window.waitFor(`document.querySelectorAll('tr[data-row]').length === 1`);
  });

  // holds: dashboard.causes
  it('counts the jobs that failed with the cause of a job, and lists them', async () => {
    for (const [id, reason] of [
      ['one', 'No file "a.png" in folder 12'],
      ['two', 'No file "b.png" in folder 9345'],
      ['three', 'No room'],
    ] as const) {
      await service.call('POST', '/queues/files/jobs', [
        { name: 'read', data: null, opts: { jobId: id } },
      ]);
      await service.call('POST', `/queues/files/jobs/${id}/cancel`, { reason });
    }
    await window.goTo('/dashboard/queues/files/jobs/three');
    await window.waitFor(`document.querySelector('.reason').innerText.includes('No other job')`);
    await window.goTo('/dashboard/queues/files/jobs/one');
    await window.waitFor(`document.querySelector('.reason').innerText.includes('1 other job')`);
    await window.click('.reason a', 'Show');
    await window.waitFor(`document.querySelectorAll('tr[data-row]').length === 2`);
  });

  // holds: dashboard.causes
  it('offers no action on a cause whose jobs are no longer failed', async () => {
    const row = `[...document.querySelectorAll('tr[data-row]')]
      .find((each) => each.innerText.includes('No room'))?.innerText`;
    // The causes of another hour may be those of ten seconds ago.
    const page = '/dashboard/failures?window=21600000';
    await window.goTo(page);
    await window.waitFor(`${row}?.includes('Retry all')`);
    await service.call('DELETE', '/queues/files/jobs/three');
    await window.goTo(page);
    await window.waitFor(`${row}?.includes('no longer failed')`);
    expect(await window.read<string>(row)).not.to.match(/Retry all|Delete all/);
    expect(await window.text('table')).to.include('Retry all');
  });

  it('draws the waits and the attempts of a job to scale, each with a link to the attempt', async () => {
    // Nothing listens there, so each attempt takes far less than the pause between them.
    const opts = { jobId: 'twice', attempts: 2, backoff: { type: 'fixed', delay: 400 } };
    await service.call('POST', '/queues/broken/jobs', [{ name: 'scale', data: null, opts }]);
    await window.resize(360, 'light');
    await window.goTo('/dashboard/queues/broken/jobs/twice');
    await window.waitFor(`document.querySelector('h1').innerText.includes('failed')`);
    await window.waitFor(`document.querySelectorAll('.attempts > li').length === 2`);
    const widths = await window.read<number[]>(
      `[...document.querySelectorAll('.timeline .segment')].map((each) => each.getBoundingClientRect().width)`,
    );
    const whole = widths.reduce((sum, width) => sum + width, 0);
    expect(Math.max(...widths)).to.be.above(whole / 2);
    const height = await window.read<number>(
      `document.querySelector('.timeline a').getBoundingClientRect().height`,
    );
    expect(height).to.be.at.least(24);
    await window.click('.timeline a', 'attempt 1');
    await window.waitFor(`document.querySelector('.attempts li:target strong').innerText === '1'`);
  });

  // holds: dashboard.edits
  it('shows what an edit of a worker changes, and never saves the placeholder of a header', async () => {
    await window.goTo('/dashboard/workers/mail');
    await window.click('.page-head button', 'Edit');
    const save = `[...document.querySelectorAll('dialog button')].find((each) => each.innerText === 'Save')`;
    await window.waitFor(`document.querySelector('dialog') !== null`);
    expect(await window.text('dialog .problem')).to.include('fill them in');
    expect(await window.read(`${save}.disabled`)).to.equal(true);
    const endpoint = { url: 'http://127.0.0.1:9/other', method: 'post' };
    await window.replace('dialog textarea', JSON.stringify({ queue: 'mail', endpoint }));
    await window.waitFor(`document.querySelector('.diff .added')?.innerText.includes('/other')`);
    await window.click('dialog .buttons button', 'Save');
    await window.waitFor(`document.querySelector('dialog') === null`);
    const { body } = await service.call('GET', '/workers/mail');
    expect(body).to.deep.equal({ queue: 'mail', endpoint });
  });

  // holds: dashboard.edits
  it('shows when a scheduler would run next while its pattern is typed', async () => {
    await window.goTo('/dashboard/schedulers');
    await window.click('tr[data-row] button', 'Edit');
    await window.waitFor(`document.querySelectorAll('dialog .log li').length === 5`);
    const changed = {
      repeat: { pattern: '15 4 * * *', tz: 'UTC' },
      job: { name: 'nightly', data: 1 },
    };
    await window.replace('dialog textarea', JSON.stringify(changed));
    await window.waitFor(
      `document.querySelector('dialog .log')?.innerText.includes('04:15:00 UTC')`,
    );
    await window.replace('dialog textarea', JSON.stringify({ ...changed, repeat: {} }));
    await window.waitFor(`document.querySelector('dialog p.problem')?.innerText !== ''`);
    const { body } = await service.call('GET', '/queues/mail/schedulers/nightly');
    expect(body).to.deep.include({ repeat: { pattern: '30 2 * * *', tz: 'Europe/Berlin' } });
  });

  // holds: dashboard.flows
  it('draws a flow beside its tree, and marks the jobs that decide how long it takes', async () => {
    await service.call('POST', '/queues/pages/jobs/cover/cancel', {});
    await window.goTo('/dashboard/flows/books/book');
    await window.waitFor(`document.querySelectorAll('.drawing .box').length === 3`);
    expect(await window.read(`document.querySelectorAll('.tree li').length`)).to.equal(3);
    // Of its two children, one has ended.
    const critical = await window.read<string[]>(
      `[...document.querySelectorAll('.tree .attempt')].filter((each) => each.querySelector('.chip')).map((each) => each.querySelector('a').innerText)`,
    );
    expect(critical).to.deep.equal(['print', 'page']);
    expect(await window.read(`document.querySelectorAll('.box.critical').length`)).to.equal(2);
  });

  it('hides data until it is requested, if so configured', async () => {
    await window.goTo('/dashboard/system');
    await window.choose('Data of jobs', 'hidden');
    await window.goTo('/dashboard/queues/mail/jobs/1');
    await window.click('main .card button', 'Show it');
    await window.waitFor(`document.querySelector('[aria-label=Data]') !== null`);
    await window.goTo('/dashboard/system');
    await window.choose('Data of jobs', 'shown');
  });

  it('shows which commands to send where there is nothing yet', async () => {
    await window.goTo('/dashboard/queues/books');
    await window.click('.notice summary');
    const text = await window.text('.notice');
    for (const each of [
      `-d '{"queue":"books"`,
      'jobgate.pull("books"',
      '/queues/books/jobs/claim',
    ]) {
      expect(text).to.include(each);
    }
    expect(text).to.include(service.url);
  });

  // holds: dashboard.contrast
  it('has enough contrast everywhere, including disabled, selected and loading parts', async () => {
    for (const path of ['', '/queues/mail', '/queues/broken/jobs/1', '/failures', '/system']) {
      await window.goTo(`/dashboard${path}`);
      await window.waitFor(`!document.body.innerText.includes('Loading …')`);
      await window.read(
        `document.querySelectorAll('main button').forEach((each) => { each.disabled = true; })`,
      );
      for (const theme of ['light', 'dark'] as const) {
        await window.resize(1280, theme);
        expect(await window.faintTexts(), `${path} ${theme}`).to.deep.equal([]);
      }
    }
  });

  // holds: dashboard.clock
  it('counts ages by the clock of the service, even if that of the browser is wrong', async () => {
    await service.call('POST', '/queues/clock/jobs', [{ name: 'now', data: null }]);
    const other = await DashboardWindow.open(browser, service.url);
    try {
      await other.shiftClock(10 * MINUTE);
      await other.openSession(ServiceProcess.token);
      await other.goTo('/dashboard/queues/clock');
      await other.waitFor(`document.querySelector('td time') !== null`);
      expect(await other.text('td time')).to.match(/^(?:now|\d+ s ago)$/);
    } finally {
      await other.close();
    }
  });

  it('shows the beginning of a job of five megabytes, and loads all of it on request', async () => {
    const data = { text: 'x'.repeat(5 * MEGABYTE) };
    await service.call('POST', '/queues/large/jobs', [{ name: 'large', data }]);
    await window.goTo('/dashboard/queues/large');
    await window.waitFor(`document.querySelector('tr[data-row]')?.innerText.includes('5.0 MB')`);
    const listed = `performance.getEntriesByType('resource').filter(({ name }) => name.includes('/jobs?')).map(({ transferSize }) => transferSize)`;
    expect(Math.max(...(await window.read<number[]>(listed)))).to.be.below(50_000);
    await window.click('td a.id');
    await window.click('main .card button', 'Load all 5.0 MB');
    await window.waitFor(
      `document.querySelector('[aria-label=Data]')?.innerText.includes('characters more')`,
    );
  });

  // holds: dashboard.size, dashboard.budget
  it('shows fifty of ten thousand queues', async function () {
    const many = await services.start({ STORE: 'memory' });
    await addManyQueues(many);
    const other = await DashboardWindow.open(browser, many.url);
    try {
      await other.resize(1280, 'light');
      await other.signIn(ServiceProcess.token);
      await other.waitFor(`document.querySelectorAll('tr[data-row]').length === 50`);
      expect((await other.usage()).scriptSeconds).to.be.below(LONGEST_SCRIPT);
      expect(await other.text('.filter')).to.match(/10.?000 in all/);
      await other.type('.filter input', 'team-999*');
      await other.waitFor(`document.querySelectorAll('tr[data-row]').length === 10`);
    } finally {
      await other.close();
    }
  });

  // holds: dashboard.policy
  it('edits the policy of a queue by its fields, and leaves the others as they are', async () => {
    await service.call('PUT', '/queues/ruled/policy', {
      maxWaiting: 100,
      labels: { team: 'books' },
      retention: { failed: { count: 5 } },
    });
    const labelled = (label: string): string =>
      `[...document.querySelectorAll('dialog label')].find((each) => each.innerText.startsWith(${JSON.stringify(label)})).querySelector('input')`;
    const fill = (label: string, value: string): Promise<unknown> =>
      window.read(
        `{ const field = ${labelled(label)}; field.value = '${value}'; field.dispatchEvent(new Event('input', { bubbles: true })); }`,
      );
    await window.goTo('/dashboard/queues/ruled');
    await window.click('button.menu-opener');
    await window.click('button', 'Policy …');
    await window.waitFor(`document.querySelector('dialog fieldset.policy') !== null`);
    expect(await window.read(`${labelled('Most waiting')}.value`)).to.equal('100');
    await fill('Attempts', '3');
    await fill('Most waiting', '');
    await fill('Failed, at most', '');
    await fill('Their values', '60000');
    await window.click('dialog button', 'Add hours');
    await window.click('dialog .span label', 'mon');
    await fill('from', '22:00');
    await fill('Time zone', 'Europe/Berlin');
    await window.resize(360, 'dark');
    await window.waitFor(`document.documentElement.scrollWidth <= innerWidth`);
    await window.click('dialog button', 'Save');
    await window.waitFor(`document.querySelector('dialog') === null`);
    expect((await service.call('GET', '/queues/ruled/policy')).body).to.deep.equal({
      defaults: { attempts: 3 },
      window: {
        open: [{ days: ['tue', 'wed', 'thu', 'fri'], from: '22:00', to: '17:00' }],
        tz: 'Europe/Berlin',
      },
      payloads: { keep: 60_000 },
      labels: { team: 'books' },
    });
  });

  // holds: dashboard.recommended
  it('shows what production needs of a queue, and stores it once a person agrees', async () => {
    await service.call('PUT', '/queues/open/policy', { defaults: { attempts: 7 }, maxWaiting: 9 });
    const endpoint = { url: 'http://localhost:9/', method: 'post' };
    const opts = { concurrency: 3 };
    await service.call('POST', '/workers', { queue: 'open', endpoint, opts });
    await window.goTo('/dashboard/queues/open');
    const open = async (): Promise<void> => {
      await window.click('button.menu-opener');
      await window.click('button', 'Recommended policy …');
    };
    await open();
    await window.waitFor(`document.querySelectorAll('dialog section .added').length > 3`);
    const policyBefore = { defaults: { attempts: 7 }, maxWaiting: 9 };
    expect((await service.call('GET', '/queues/open/policy')).body).to.deep.equal(policyBefore);
    const removed = `document.querySelectorAll('dialog .removed').length`;
    expect(await window.read(removed)).to.equal(0);
    await window.click('dialog button', 'Store');
    await window.waitFor(`document.querySelectorAll('.toast').length === 2`);
    expect((await service.call('GET', '/queues/open/policy')).body).to.deep.equal({
      defaults: { attempts: 7, backoff: { type: 'exponential', delay: 1000, jitter: 0.5 } },
      retention: {
        completed: { age: 86_400, count: 1000 },
        failed: { age: 604_800, count: 10_000 },
      },
      maxWaiting: 9,
    });
    const { body } = await service.call('GET', '/workers/open');
    expect(body)
      .to.have.property('opts')
      .that.deep.equals({ ...opts, breaker: { failures: 5 } });
    await open();
    await window.waitFor(`document.querySelector('dialog')?.innerText.includes('Nothing is open')`);
    await window.click('dialog button', 'Close');
  });

  // holds: dashboard.outage
  it('says that the store is away, keeps what it shows, and heals by itself', async () => {
    const store = await RedisServer.start();
    const proxy = await CuttingProxy.start(store.port);
    const redis = await services.start({ STORE_URI: `redis://127.0.0.1:${proxy.port}` });
    await redis.call('POST', '/queues/mail/jobs', [{ name: 'wait', data: null }]);
    const other = await DashboardWindow.open(browser, redis.url);
    try {
      await other.signIn(ServiceProcess.token);
      await other.waitFor(`document.querySelector('td a.name') !== null`);
      const ways = [
        [() => proxy.freeze(), () => proxy.thaw()],
        [() => store.kill(), () => store.restart()],
      ] as const;
      for (const [fail, heal] of ways.slice(0, rounds(2, 1))) {
        const shown = other.timeUntil(`document.querySelector('.strip-bad') !== null`);
        await fail();
        expect(await shown).to.be.below(LATEST_STRIP);
        expect(await other.text('td a.name')).to.equal('mail');
        await heal();
        await other.waitFor(`document.querySelector('.strip-bad') === null`);
      }
    } finally {
      await other.close();
      await redis.kill();
      await proxy.close();
      await store.stop();
    }
  });
});
