import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Browser } from '../../support/browser/browser.ts';
import { DashboardWindow } from '../../support/browser/dashboard-window.ts';
import { eventually } from '../../support/eventually.ts';
import type { ServiceProcess } from '../../support/service-process.ts';
import { RealIssuer } from '../../support/sign-in/real-issuer.ts';
import { StartedServices } from '../../support/started-services.ts';

const PEOPLE = { ada: { groups: ['staff', 'ops'] }, eve: { roles: ['ops'] } };

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}

describe('Signing in to the dashboard at a real provider', function () {
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'jobgate-sign-in-'));
  const services = new StartedServices();
  let issuer: RealIssuer;
  let service: ServiceProcess;
  let browser: Browser;
  let window: DashboardWindow;

  before(async () => {
    const port = await freePort();
    const publicUrl = `http://127.0.0.1:${port}`;
    issuer = await RealIssuer.start(publicUrl, PEOPLE);
    const file = join(folder, 'sign-in.json');
    const client = { clientId: 'jobgate', clientSecret: 'confidential' };
    const rules = [{ claims: { groups: 'ops' }, name: 'operators', rights: ['admin'] }];
    writeFileSync(
      file,
      JSON.stringify({ issuer: issuer.url, ...client, scopes: ['openid', 'groups'], rules }),
    );
    service = await services.start({
      ...{ STORE: 'memory', PORT: String(port) },
      ...{ PUBLIC_URL: publicUrl, SIGN_IN_FILE: file },
    });
    browser = await Browser.start();
  });
  beforeEach(async () => {
    window = await DashboardWindow.open(browser, service.url);
    await window.resize(1280, 'light');
  });
  afterEach(() => window.close());
  after(async () => {
    await browser.stop();
    await services.kill();
    await issuer.stop();
    rmSync(folder, { recursive: true });
  });

  /** Fills in the forms of the provider. */
  const signInAs = async (login: string): Promise<void> => {
    await window.waitFor(`document.querySelector('input[name=login]') !== null`);
    expect(await window.read<string>('location.origin')).to.equal(issuer.url);
    await window.type('input[name=login]', login);
    await window.type('input[name=password]', 'any');
    await window.click('button[type=submit]');
    await window.waitFor(`document.querySelector('input[value=consent]') !== null`);
    await window.click('button[type=submit]');
  };

  const whoami = (): Promise<Record<string, unknown>> =>
    window.read(`fetch('/whoami').then((answer) => answer.json())`);

  // holds: sign-in.dashboard, sign-in.session, sign-in.lookup, sign-in.sign-out
  it('leads there and back, keeps the rights fresh, and ends at both', async () => {
    await window.goTo('/dashboard/workers', '#token');
    await window.click('button', 'Sign in with your account');
    await signInAs('ada');
    await window.waitFor(`document.querySelector('h1')?.innerText === 'Workers'`);
    expect(await window.read<string>('location.href')).to.equal(`${service.url}/dashboard/workers`);
    expect(await window.text('.who')).to.include('operators');
    expect(await whoami()).to.include({ name: 'operators', via: 'sign-in', subject: 'ada' });
    expect(await window.read<string>('document.cookie')).to.equal('');

    const before = issuer.refreshes;
    await eventually('the rights are looked up', async () => {
      await whoami();
      return issuer.refreshes > before;
    });
    expect(await whoami()).to.include({ name: 'operators' });

    await window.click('button', 'Sign out');
    await window.waitFor(`location.origin === ${JSON.stringify(issuer.url)}`);
    await window.goTo('/dashboard', '#token');
  });

  // holds: sign-in.page
  it('shows an administrator why nobody of a group gets in', async () => {
    await window.goTo('/dashboard', '#token');
    await window.click('button', 'Sign in with your account');
    await signInAs('eve');
    await window.waitFor(`document.querySelector('h1')?.innerText === 'You may not use jobgate'`);
    const text = await window.text('main');
    expect(text).to.include('groups = ops: did not arrive');
    await window.goTo('/dashboard', '#token');
    expect((await fetch(`${service.url}/whoami`)).status).to.equal(401);
  });
});
