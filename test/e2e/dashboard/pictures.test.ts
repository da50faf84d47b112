import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Browser } from '../../support/browser/browser.ts';
import { DashboardWindow } from '../../support/browser/dashboard-window.ts';
import type { Page } from '../../support/browser/page.ts';
import { ServiceProcess } from '../../support/service-process.ts';
import { StartedServices } from '../../support/started-services.ts';
import { ANSWERS, NOW } from './pictures/fixed-answers.ts';
import { isUpdated, KnownLooks } from './pictures/looks.ts';

const PAGES: Readonly<Record<string, { readonly path: string; readonly shows: string }>> = {
  queues: { path: '/dashboard', shows: '4 in all' },
  queue: { path: '/dashboard/queues/thumbnails?state=failed', shows: '81 B' },
  job: { path: '/dashboard/queues/thumbnails/jobs/17', shows: 'no PNG signature' },
  failures: { path: '/dashboard/failures', shows: 'HTTP 503' },
  workers: { path: '/dashboard/workers', shows: 'mail-eu' },
};

/** Gives a page fixed answers at a fixed time, no events, and the fonts that every Debian with Chromium has. */
const FIXED = `{
  const answers = ${JSON.stringify(ANSWERS)};
  Date.now = () => ${NOW};
  globalThis.fetch = async (url) => {
    const { pathname, searchParams } = new URL(url);
    const found = answers[pathname + '?state=' + searchParams.get('state')] ?? answers[pathname];
    return new Response(JSON.stringify(found), { status: found === undefined ? 404 : 200 });
  };
  const fonts = new CSSStyleSheet();
  fonts.replaceSync(':root { font-family: "DejaVu Sans" !important; --mono: "DejaVu Sans Mono" !important }');
  document.adoptedStyleSheets = [fonts];
  globalThis.EventSource = class extends EventTarget { readyState = 1; close() {} };
}`;

describe('Pages of the dashboard with fixed answers and a fixed clock', () => {
  const services = new StartedServices();
  let browser: Browser;
  let window: DashboardWindow;
  let empty: Page;
  let looks: KnownLooks;

  before(async () => {
    const service = await services.start({ STORE: 'memory' });
    browser = await Browser.start();
    empty = await browser.open('about:blank');
    looks = await KnownLooks.with(empty);
    window = await DashboardWindow.open(browser, service.url);
    await window.openSession(ServiceProcess.token);
    await window.prepare(FIXED);
  });

  after(async () => {
    if (isUpdated()) await looks.keep();
    await browser.stop();
    await services.kill();
  });

  for (const theme of ['light', 'dark'] as const) {
    for (const [name, { path, shows }] of Object.entries(PAGES)) {
      // holds: dashboard.look
      it(`look as before: ${name}, ${theme}`, async () => {
        await window.resize(1280, theme);
        await window.goTo(path);
        await window.waitFor(`document.body.innerText.includes('${shows}')`);
        if (name === 'queue') await window.waitFor(`document.querySelector('canvas') !== null`);
        const picture = await window.picture();
        const difference = await looks.difference(empty, `${name} ${theme}`, picture);
        if (difference === undefined || isUpdated()) return;
        const file = join(tmpdir(), `jobgate-${name}-${theme}.png`);
        writeFileSync(file, picture);
        throw new Error(
          `${name}, ${theme} differs from the picture on record, ${difference}: see ${file}. If the change is intended, run this test with UPDATE_LOOKS=1`,
        );
      });
    }
  }
});
