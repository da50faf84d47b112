import { expect } from 'chai';
import { Browser } from '../../support/browser/browser.ts';
import { DashboardWindow } from '../../support/browser/dashboard-window.ts';
import { ServiceProcess } from '../../support/service-process.ts';
import { StartedServices } from '../../support/started-services.ts';

describe('Topics on the dashboard', function () {
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
    await window.resize(1280, 'light');
  });

  after(async () => {
    expect(window.problems).to.deep.equal([]);
    await browser.stop();
    await services.kill();
  });

  const mainHas = (text: string): Promise<void> =>
    window.waitFor(`document.querySelector('main').innerText.includes(${JSON.stringify(text)})`);

  // holds: topics.dashboard
  it('are listed, get subscriptions by a form, and try messages', async () => {
    await window.goTo('/dashboard/topics');
    await mainHas('There are no topics yet');
    await window.click('main button', 'Subscribe');
    for (const [at, text] of ['orders', 'billing', 'billing-jobs'].entries()) {
      await window.replace(`dialog label:nth-of-type(${at + 1}) input`, text);
    }
    await window.replace('dialog textarea', '{"data": {"customer.country": ["de"]}}');
    await window.click('dialog button', 'Save');
    await window.click('main a', 'orders');
    await mainHas('billing-jobs');
    await mainHas('{"data":{"customer.country":["de"]}}');
    await window.replace('main section textarea', '{"customer": {"country": "de"}}');
    await window.click('main section button', 'Try');
    await mainHas('It would add billing (billing-jobs).');
    await window.replace('main section textarea', '{"customer": {"country": "at"}}');
    await window.click('main section button', 'Try');
    await mainHas('It would add no job.');
    const { status } = await service.call('GET', '/queues/billing-jobs');
    expect(status).to.equal(404);
    expect(await window.barriers()).to.deep.equal([]);
    await window.click('main td button', 'Remove');
    await mainHas('There is no topic orders');
  });
});
