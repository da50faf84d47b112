import { expect } from 'chai';
import { Browser } from '../../support/browser/browser.ts';
import { DashboardWindow } from '../../support/browser/dashboard-window.ts';
import { ServiceProcess } from '../../support/service-process.ts';
import { StartedServices } from '../../support/started-services.ts';

describe('Who stopped something, on the dashboard', function () {
  this.timeout(60_000);
  const services = new StartedServices();
  let browser: Browser;
  let service: ServiceProcess;
  let window: DashboardWindow;

  before(async () => {
    service = await services.start({ STORE: 'memory' });
    browser = await Browser.start();
    window = await DashboardWindow.open(browser, service.url);
    await window.openSession(ServiceProcess.token);
    await service.call('POST', '/queues/mail/jobs', [
      { name: 'send', data: null, opts: { group: { id: 'acme' } } },
    ]);
  });

  after(async () => {
    await browser.stop();
    await services.kill();
  });

  // holds: stops.clients, stops.shown
  it('asks for the reason of a pause, and shows who paused a queue, when and why', async () => {
    await window.goTo('/dashboard/queues/mail');
    await window.click('header.page-head button', 'Pause');
    await window.type('dialog input', 'Deploy of billing');
    await window.waitFor(
      `document.querySelector('dialog').textContent.includes('"reason":"Deploy')`,
    );
    await window.click('dialog button', 'Pause');
    const words = /paused by environment:1 since \S+Z: Deploy of billing/;
    await window.waitFor(`${String(words)}.test(document.querySelector('main').innerText)`);
    const { body } = await service.call('GET', '/queues/mail');
    expect((body as { pause: object }).pause).to.include({
      by: 'environment:1',
      reason: 'Deploy of billing',
    });
    await window.goTo('/dashboard');
    await window.waitFor(`document.querySelector('tr[data-row] .state-paused') !== null`);
    const title = await window.read<string>(
      `document.querySelector('tr[data-row] .state-paused').title`,
    );
    expect(title).to.match(words);
    await window.goTo('/dashboard/queues/mail');
    await window.click('header.page-head button', 'Resume');
    await window.waitFor(`!document.querySelector('main').innerText.includes('Deploy of billing')`);
    await window.click('header.page-head button', 'Hold');
    await window.type('dialog input', 'Too many calls');
    await window.click('dialog button', 'Hold for 5');
    await window.waitFor(`document.querySelector('main').innerText.includes('Too many calls')`);
    expect(window.problems).to.deep.equal([]);
  });

  /** Stops the first row, and waits until it shows the reason beside the name of the caller and the time. */
  async function stopped(button: string, reason: string, choice = button): Promise<void> {
    await window.waitFor(`document.querySelector('tr[data-row]') !== null`);
    await window.click('tr[data-row] button', button);
    await window.type('dialog input', reason);
    await window.waitFor(`document.querySelector('dialog').textContent.includes('${reason}')`);
    await window.click('dialog button', choice);
    const words = RegExp(`by environment:1 since \\S+Z: ${reason}`);
    await window.waitFor(`${String(words)}.test(document.querySelector('tr[data-row]').innerText)`);
  }

  // holds: stops.clients, stops.shown
  it('asks for the reason when a group is paused or held, and shows it in its row', async () => {
    await window.goTo('/dashboard/queues/mail?tab=groups');
    await stopped('Pause', 'They asked for it');
    await window.click('tr[data-row] button', 'Resume');
    await window.waitFor(`!document.querySelector('main').innerText.includes('asked for it')`);
    await stopped('Hold', 'Over their quota', 'Hold for 1');
    const { body } = await service.call('GET', '/queues/mail/groups/acme');
    expect((body as { hold: object }).hold).to.include({ reason: 'Over their quota' });
    expect(window.problems).to.deep.equal([]);
  });

  // holds: stops.clients, stops.shown
  it('asks for the reason when a scheduler is paused, and shows it in its row', async () => {
    const nightly = { repeat: { every: 60_000 }, job: { name: 'report', data: null } };
    await service.call('PUT', '/queues/reports/schedulers/nightly', nightly);
    await window.goTo('/dashboard/schedulers');
    await stopped('Pause', 'The books are closed');
    const { body } = await service.call('GET', '/queues/reports/schedulers/nightly');
    expect((body as { pause: object }).pause).to.include({ reason: 'The books are closed' });
    expect(window.problems).to.deep.equal([]);
  });

  // holds: stops.clients, stops.shown
  it('asks for the reason when a worker is disabled, and shows it on its page', async () => {
    const endpoint = { url: 'http://127.0.0.1:9/jobs', method: 'post' };
    await service.call('POST', '/workers', { queue: 'mail', endpoint });
    await window.goTo('/dashboard/workers/mail');
    await window.click('header.page-head button', 'Disable');
    await window.type('dialog input', 'Being moved');
    await window.waitFor(`document.querySelector('dialog').textContent.includes('Being moved')`);
    await window.click('dialog button', 'Disable');
    const words = /by environment:1 since \S+Z: Being moved/;
    await window.waitFor(`${String(words)}.test(document.querySelector('main').innerText)`);
    expect(window.problems).to.deep.equal([]);
  });
});
