import { expect } from 'chai';
import { Browser } from '../../support/browser/browser.ts';
import { DashboardWindow } from '../../support/browser/dashboard-window.ts';
import { answer, EndpointServer } from '../../support/endpoint-server.ts';
import { eventually } from '../../support/eventually.ts';
import { ServiceProcess } from '../../support/service-process.ts';
import { StartedServices } from '../../support/started-services.ts';

const HOUR = 3_600_000;

/** Charges, and waits for two signals. */
const SUSPENDS = {
  steps: { charge: { payment: 'ch_1' } },
  waitFor: {
    paid: { signal: 'paid:17', timeout: HOUR },
    approved: { signal: 'approved:17', timeout: HOUR },
  },
};

interface Claimed {
  readonly job: { readonly id: string };
  readonly token: string;
}

describe('Steps on the dashboard', function () {
  this.timeout(60_000);
  const services = new StartedServices();
  let service: ServiceProcess;
  let browser: Browser;
  let window: DashboardWindow;
  const endpoints: EndpointServer[] = [];

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
    await Promise.all(endpoints.map((endpoint) => endpoint.close()));
    await services.kill();
  });

  /** Claims the next job of a queue and reports on it. Returns the path of the job. */
  async function report(queue: string, kind: string, body: unknown): Promise<string> {
    const { body: claimed } = await service.call('POST', `/queues/${queue}/jobs/claim`, {});
    const [{ job, token }] = claimed as [Claimed];
    const path = `/queues/${queue}/jobs/${job.id}`;
    const answer = await service.call('POST', `${path}/${kind}`, body, token);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return path;
  }

  /** A job that has charged, and waits for two signals, unless it is to do something else. */
  async function suspended(queue: string, body: object = SUSPENDS): Promise<string> {
    await service.call('POST', `/queues/${queue}/jobs`, [{ name: 'order', data: 17 }]);
    return report(queue, 'suspend', body);
  }

  const state = async (path: string): Promise<string> => {
    const { body } = await service.call('GET', `${path}?view=summary`);
    return (body as { readonly state: string }).state;
  };

  // holds: steps.dashboard
  it('asks before a promotion, which ends waits as their timeouts do', async () => {
    const path = await suspended('promoted');
    await window.goTo(`/dashboard${path}`);
    await window.waitFor(`document.querySelector('.awaited') !== null`);
    await window.click('main button', 'Promote');
    await window.waitFor(
      `document.querySelector('dialog')?.innerText.includes('as if paid:17 and approved:17 had not come in time')`,
    );
    expect(await state(path)).to.equal('delayed');
    await window.click('dialog button', 'Promote');
    await eventually('it waits no longer', async () => (await state(path)) === 'waiting');
  });

  // holds: steps.dashboard
  it('shows what a suspended job waits for and until when, and sends its signals', async () => {
    const endpoint = await EndpointServer.start(answer(206, SUSPENDS));
    endpoints.push(endpoint);
    const called = { url: endpoint.origin, method: 'post', steps: true };
    await service.call('POST', '/workers', { queue: 'orders', endpoint: called });
    await service.call('POST', '/queues/orders/jobs', [{ name: 'order', data: 17 }]);
    await endpoint.nextCall();
    await window.goTo('/dashboard/queues/orders/jobs/1');
    endpoint.respond = answer(200, { shipped: true });
    await window.waitFor(`document.querySelector('.awaited') !== null`);
    expect(await window.text('h1')).to.include('suspended');
    expect(await window.text('main')).to.match(/Until\s+in (?:1 h|59 min)/);
    await window.waitFor(
      `/attempt 1: 206\\s+saved charge[^]*waits for paid, approved/.test(document.querySelector('.timeline').innerText)`,
    );
    for (const [key, body] of [
      ['paid:17', '{"by": "card"}'],
      ['approved:17', 'true'],
    ] as const) {
      await window.click('.awaited:first-child button', 'Send signal');
      await window.waitFor(`document.querySelector('dialog').innerText.includes('${key}')`);
      await window.replace('dialog textarea', body);
      await window.click('dialog button', 'Send');
      await window.waitFor(
        `document.body.innerText.includes('The signal reached 1 job') && document.querySelector('dialog') === null`,
      );
      await window.waitFor(`!document.querySelector('main').innerText.includes('${key}')`);
    }
    await window.waitFor(`document.querySelector('h1').innerText.includes('completed')`);
    await window.waitFor(
      `document.querySelector('.timeline').innerText.includes('waited for paid, approved')`,
    );
    await window.click('#steps summary');
    expect(await window.text('#steps')).to.match(/charge\s+saved[^]+paid\s+signal came/);
    await window.waitFor(
      `document.querySelector('#steps .json').innerText.includes('payment: "ch_1"')`,
    );
  });

  // holds: steps.dashboard
  it('forgets one step of a finished job, or all, and starts it over', async () => {
    const path = await suspended('again');
    await service.call('POST', '/queues/again/signals/paid:17');
    await service.call('POST', '/queues/again/signals/approved:17');
    await report('again', 'fail', { reason: 'Out of stock', retry: false });
    await window.goTo(`/dashboard${path}`);
    await window.waitFor(`document.querySelectorAll('#steps li').length === 3`);
    await window.click('#steps li:nth-child(2) button', 'Forget and retry');
    await window.click('dialog button', 'Forget and retry');
    await window.waitFor(`document.querySelector('h1').innerText.includes('waiting')`);
    await window.waitFor(`document.querySelectorAll('#steps li').length === 2`);
    await report('again', 'fail', { reason: 'Out of stock', retry: false });
    await window.click('.page-head button', 'Forget and retry');
    await window.waitFor(`document.querySelector('dialog').innerText.includes('2 saved steps')`);
    await window.click('dialog button', 'Forget and retry');
    await window.waitFor(`document.querySelector('#steps') === null`);
    expect(await state(path)).to.equal('waiting');
  });

  // holds: steps.dashboard
  it('leaves signals and steps to tokens with the rights', async () => {
    const path = await suspended('guarded');
    const made = await service.call('POST', '/tokens', { name: 'looker', rights: ['read'] });
    const other = await DashboardWindow.open(browser, service.url);
    await other.openSession((made.body as { token: string }).token);
    await other.goTo(`/dashboard${path}`);
    await other.waitFor(`document.querySelector('.awaited') !== null`);
    await other.waitFor(`document.querySelector('#steps') !== null`);
    const buttons = await other.read<[string, boolean, string][]>(
      `[...document.querySelectorAll('.awaited button, #steps button')].map((each) => [each.innerText, each.disabled, each.title])`,
    );
    expect(buttons).to.deep.include(['Send signal …', true, 'Needs the right add']);
    expect(buttons).to.deep.include(['Forget', true, 'Needs the right operate']);
    expect(await other.text('#steps')).not.to.include('Value');
    expect(other.problems).to.deep.equal([]);
    await other.close();
  });

  // holds: steps.dashboard
  it('counts the suspended jobs of a queue', async () => {
    await suspended('counted');
    await window.goTo('/dashboard/queues/counted');
    await window.waitFor(`document.querySelector('.context').innerText.includes('1 suspended')`);
  });

  // holds: dashboard.accessible
  it('is accessible, wide and light or narrow and dark', async () => {
    const [step, key] = ['n'.repeat(100), 'k'.repeat(200)];
    const path = await suspended('seen', {
      steps: { [step]: step },
      waitFor: { [`w${step.slice(1)}`]: { signal: key } },
    });
    await window.goTo(`/dashboard${path}`);
    await window.waitFor(`document.querySelector('.awaited') !== null`);
    await window.waitFor(`!document.body.innerText.includes('Loading …')`);
    for (const [width, theme] of [
      [1280, 'light'],
      [360, 'dark'],
    ] as const) {
      await window.resize(width, theme);
      expect(await window.barriers(), `${width} ${theme}`).to.deep.equal([]);
      const [scrolled = 0, seen = 0] = await window.read<number[]>(
        `[document.documentElement.scrollWidth, innerWidth]`,
      );
      expect(scrolled, `${width} ${theme}`).to.be.at.most(seen);
    }
  });
});
