import { expect } from 'chai';
import { Browser } from '../../support/browser/browser.ts';
import { DashboardWindow } from '../../support/browser/dashboard-window.ts';
import { ServiceProcess } from '../../support/service-process.ts';
import { StartedServices } from '../../support/started-services.ts';

describe('Who stopped something, on the dashboard', function () {
  this.timeout(60_000);
  const services = new StartedServices();
  let browser: Browser;

  after(async () => {
    await browser.stop();
    await services.kill();
  });

  // holds: stops.clients, stops.shown
  it('asks for the reason of a pause, and shows who paused a queue, when and why', async function () {
    // A browser may have to be installed.
    this.timeout(300_000);
    const service = await services.start({ STORE: 'memory' });
    browser = await Browser.start();
    const window = await DashboardWindow.open(browser, service.url);
    await window.openSession(ServiceProcess.token);
    await service.call('POST', '/queues/mail/jobs', [{ name: 'send', data: null }]);
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
});
