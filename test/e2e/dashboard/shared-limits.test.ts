import { expect } from 'chai';
import { Browser } from '../../support/browser/browser.ts';
import { DashboardWindow } from '../../support/browser/dashboard-window.ts';
import { EndpointServer } from '../../support/endpoint-server.ts';
import { ServiceProcess } from '../../support/service-process.ts';
import { StartedServices } from '../../support/started-services.ts';

describe('Limits that queues share, on the dashboard', function () {
  this.timeout(60_000);
  const services = new StartedServices();
  let service: ServiceProcess;
  let browser: Browser;
  let endpoint: EndpointServer;
  let window: DashboardWindow;

  before(async () => {
    service = await services.start({ STORE: 'memory' });
    browser = await Browser.start();
    endpoint = await EndpointServer.start(() => undefined);
    window = await DashboardWindow.open(browser, service.url);
    await window.openSession(ServiceProcess.token);
    await window.resize(1280, 'light');
  });

  after(async () => {
    expect(window.problems).to.deep.equal([]);
    await browser.stop();
    await services.kill();
    await endpoint.close();
  });

  const mainHas = (text: string): Promise<void> =>
    window.waitFor(`document.querySelector('main').innerText.includes(${JSON.stringify(text)})`);

  const rowHas = (queue: string, text: string): Promise<void> =>
    window.waitFor(
      `[...document.querySelectorAll('main tr')].some(({ innerText: text }) =>
        text.includes(${JSON.stringify(queue)}) && text.includes(${JSON.stringify(text)}))`,
    );

  // holds: limits.dashboard
  it('are stored by a form, and list the queues that run calls and those that wait', async () => {
    await window.goTo('/dashboard/limits');
    await mainHas('There are no limits yet');
    await window.click('main button', 'New limit');
    for (const [at, text] of ['openai', '1', '100', '60000'].entries()) {
      await window.replace(`dialog label:nth-of-type(${at + 1}) input`, text);
    }
    await window.click('dialog button', 'Save');
    await mainHas('0/1');
    await service.call('PUT', '/policy', { limits: ['openai'] });
    for (const queue of ['asks', 'later']) {
      const url = endpoint.origin;
      await service.call('POST', '/workers', { queue, endpoint: { url, method: 'post' } });
      await service.call('POST', `/queues/${queue}/jobs`, [{ name: 'ask', data: 1 }]);
      if (queue === 'asks') await endpoint.nextCall();
    }
    await window.click('main a', 'openai');
    await rowHas('asks', '1');
    await rowHas('later', 'waits for room');
    await mainHas('1/1 running');
    await mainHas('99 of 100 in 1 min may start now');
    expect(await window.barriers()).to.deep.equal([]);
  });
});
