import { expect } from 'chai';
import { Browser } from '../../support/browser/browser.ts';
import { DashboardWindow } from '../../support/browser/dashboard-window.ts';
import { EndpointServer } from '../../support/endpoint-server.ts';
import { ServiceProcess } from '../../support/service-process.ts';
import { StartedServices } from '../../support/started-services.ts';

describe('Destinations of jobs on the dashboard', function () {
  this.timeout(60_000);
  const services = new StartedServices();
  let service: ServiceProcess;
  let browser: Browser;
  let window: DashboardWindow;
  let elsewhere: EndpointServer;

  before(async () => {
    service = await services.start({ STORE: 'memory' });
    browser = await Browser.start();
    window = await DashboardWindow.open(browser, service.url);
    await window.openSession(ServiceProcess.token);
    elsewhere = await EndpointServer.start();
  });

  after(async () => {
    await browser.stop();
    await elsewhere.close();
    await services.kill();
  });

  // holds: destinations.dashboard
  it('stand on the page of the job, and in place of the URL that a worker lacks', async () => {
    const { origin, url } = elsewhere;
    await service.call('PUT', '/queues/hooks/policy', { endpoints: { origins: [origin] } });
    const endpoint = { url: null, method: 'post' };
    await service.call('POST', '/workers', { queue: 'hooks', endpoint });
    const opts = { endpoint: { url } };
    await service.call('POST', '/queues/hooks/jobs', [{ name: 'paid', data: 17, opts }]);
    await elsewhere.nextCall();
    await window.goTo('/dashboard/queues/hooks/jobs/1');
    await window.waitFor(`document.querySelector('.attempts') !== null`);
    await window.waitFor(`document.querySelector('main').innerText.includes('sent to ${url}')`);
    await window.waitFor(`/Endpoint\\s+http/.test(document.querySelector('main').innerText)`);
    await window.goTo('/dashboard/workers');
    await window.waitFor(
      `document.querySelector('main').innerText.includes('POST endpoints of jobs')`,
    );
    await window.goTo('/dashboard/workers/hooks');
    await window.waitFor(`document.querySelector('h1').innerText.includes('Worker of hooks')`);
    await window.waitFor(`document.querySelector('main').innerText.includes('Registration')`);
    expect(await window.text('main')).not.to.include('Test call');
    expect(window.problems).to.deep.equal([]);
  });
});
