import { get } from 'node:http';
import { expect } from 'chai';
import { dashboardFiles } from '../../../src/adapters/inbound/http/site/dashboard/dashboard-files.ts';
import { HttpService, type Answer } from './support/http-service.ts';

const OWN = { 'Jobgate-Dashboard': '1', 'Sec-Fetch-Site': 'same-origin' };

/** The bytes of the first files of a page, without and with charts. */
const BUDGET = 30_000;
const BUDGET_WITH_CHARTS = 55_000;

describe('The dashboard', () => {
  let service: HttpService;

  before(async function () {
    // The dashboard is built from its sources when it is first requested.
    this.timeout(60_000);
    service = await new HttpService().start();
    await service.request('GET', '/dashboard');
  });

  after(() => service.stop());

  const read = (path: string): Promise<Answer> => service.request('GET', path, { token: null });

  /** The files that a page links, by the addresses that a browser requests. */
  async function filesOf(path: string): Promise<readonly string[]> {
    const { text } = await read(path);
    return [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, link = '']) => new URL(link, `${service.url}${path}`).pathname,
    );
  }

  // holds: dashboard.page
  it('answers anyone, at each of its paths, under a policy that allows its own files alone', async () => {
    for (const path of ['/dashboard', '/dashboard/', '/dashboard/queues/mail/jobs/a%2Fb']) {
      const { status, headers } = await read(path);
      expect(status).to.equal(200);
      expect(headers.get('content-type')).to.equal('text/html; charset=utf-8');
      expect(headers.get('cache-control')).to.equal('no-cache');
      expect(headers.get('referrer-policy')).to.equal('no-referrer');
      expect(headers.get('cross-origin-opener-policy')).to.equal('same-origin');
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      expect(headers.get('content-security-policy')).to.equal(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
      );
    }
    expect((await read('/dashboards')).status).to.equal(401);
    const { status, headers } = await service.request('POST', '/dashboard', { token: null });
    expect([status, headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
  });

  // holds: dashboard.page
  it('has no inline script or style, and says without scripts where else to look', async () => {
    const { text } = await read('/dashboard/workers/mail');
    expect(text).not.to.match(/<style|<script(?! type="module" src=)|style=| on\w+=/);
    expect(text).to.match(/<noscript>.*JavaScript.*href="\.\.\/\.\.\/docs"/);
  });

  // holds: dashboard.files, dashboard.base
  it('links files that exist, at any path of the page', async () => {
    for (const path of ['/dashboard', '/dashboard/', '/dashboard/queues/mail/jobs/17']) {
      const files = await filesOf(path);
      expect(files.some((each) => each.endsWith('.css'))).to.equal(true);
      for (const file of files) expect((await read(file)).status, file).to.equal(200);
    }
    expect((await read('/dashboard/assets/no-such.js')).status).to.equal(404);
    expect((await read('/dashboard/assets/constructor')).status).to.equal(404);
  });

  // holds: dashboard.files
  it('lets browsers cache its files, and compresses them where browsers accept that', async () => {
    const [script = ''] = (await filesOf('/dashboard')).filter((each) => each.endsWith('.js'));
    expect(script).to.match(/-[0-9A-Z]{8}\.js$/);
    const encodingOf = (accepted: string): Promise<string | undefined> =>
      new Promise((resolve, reject) => {
        get(`${service.url}${script}`, { headers: { 'Accept-Encoding': accepted } }, (answer) => {
          answer.resume();
          resolve(answer.headers['content-encoding']);
        }).on('error', reject);
      });
    expect(await encodingOf('gzip, deflate')).to.equal('gzip');
    expect(await encodingOf('gzip, deflate, br')).to.equal('br');
    expect(await encodingOf('gzip, br;q=0')).to.equal('gzip');
    expect(await encodingOf('gzip;q=0, deflate')).to.equal(undefined);
    expect(await encodingOf('identity')).to.equal(undefined);
    const { headers } = await read(script);
    expect(headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
    expect(headers.get('vary')).to.equal('Accept-Encoding');
    expect(headers.get('content-type')).to.equal('text/javascript; charset=utf-8');
  });

  // holds: dashboard.budget
  it('begins with two files of few bytes', async () => {
    const { script, style, files } = await dashboardFiles();
    const named = (await filesOf('/dashboard')).filter((each) => each.includes('/assets/'));
    expect(named.map((each) => each.split('/').at(-1))).to.have.members([script, style]);
    const bytes = (names: readonly string[]): number =>
      names
        .map((name) => Buffer.from(files[name]!.gzip, 'base64').length)
        .reduce((sum, each) => sum + each);
    const first = bytes([script, style]);
    expect(first).to.be.below(BUDGET);
    const charts = Object.keys(files).filter((name) => name.startsWith('draw-plot-'));
    expect(charts).to.have.lengthOf(1);
    expect(first + bytes(charts)).to.be.below(BUDGET_WITH_CHARTS);
  });

  // holds: dashboard.modes
  it('is 404 when it is off, and a browser is redirected to the documentation', async () => {
    const off = await new HttpService({ dashboard: 'off' }).start();
    try {
      for (const path of ['/dashboard', '/dashboard/queues/mail', '/dashboard/assets/a.js']) {
        expect((await off.request('GET', path, { token: null })).status).to.equal(404);
      }
      const headers = { Accept: 'text/html' };
      const { status, text } = await off.request('GET', '/', { token: null, headers });
      expect([status, text]).to.deep.equal([200, (await off.request('GET', '/docs')).text]);
    } finally {
      await off.stop();
    }
  });

  // holds: dashboard.modes
  it('lets a session only sign out when it is read-only', async () => {
    const readOnly = await new HttpService({ dashboard: 'readonly' }).start();
    try {
      const signedIn = await readOnly.request('POST', '/sessions');
      const [cookie = ''] = signedIn.headers.get('set-cookie')?.split(';', 1) ?? [];
      const browse = (method: string, path: string): Promise<Answer> =>
        readOnly.request(method, path, { token: null, headers: { ...OWN, cookie } });
      const page = await browse('GET', '/dashboard');
      expect(page.text).to.include('data-mode="readonly"');
      expect((await browse('GET', '/queues')).status).to.equal(200);
      const { status, text } = await browse('POST', '/queues/mail/pause');
      expect([status, text]).to.deep.equal([403, 'The dashboard is read-only here']);
      expect((await browse('DELETE', '/sessions/other')).status).to.equal(403);
      expect((await readOnly.request('POST', '/queues/mail/pause')).status).to.equal(200);
      expect((await browse('DELETE', '/sessions')).status).to.equal(200);
      expect((await browse('GET', '/queues')).status).to.equal(401);
    } finally {
      await readOnly.stop();
    }
  });
});
