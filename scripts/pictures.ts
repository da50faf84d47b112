// `npm run pictures`: the pictures of the dashboard in docs/images, of the queues of the demo after some minutes.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '../src/infrastructure/config/load-config.ts';
import { createLogger } from '../src/infrastructure/create-logger.ts';
import { createService } from '../src/infrastructure/service.ts';
import { Browser } from '../test/support/browser/browser.ts';
import { browserSession } from '../test/support/browser/browser-session.ts';
import { DashboardWindow } from '../test/support/browser/dashboard-window.ts';
import { BackdropEndpoint } from './demo/backdrop-endpoint.ts';
import { Backdrop, withoutBackdrop } from './demo/backdrop.ts';
import { RestClient } from './demo/rest-client.ts';

const FOLDER = join(import.meta.dirname, '../docs/images');
const TOKEN = 'pictures';

/** Until there are figures of some minutes to see, and a pause that somebody may have forgotten. */
const WAIT = 12 * 60_000;

/** How long a page may take to show its figures. Milliseconds. */
const SETTLE = 2500;

const config = loadConfig(
  { STORE: 'memory', AUTH_TOKENS: TOKEN, PORT: '0', LOG_FORMAT: 'pretty', DRAIN_TIME: '0' },
  { readFile: () => '', isTerminal: true },
);
const service = await createService(config, withoutBackdrop(createLogger(config)));
await service.start();
const jobgate = new RestClient(`http://127.0.0.1:${service.port}`, TOKEN);
const endpoint = await BackdropEndpoint.start(jobgate.url, () => undefined);
const stopped = new AbortController();
const backdrop = new Backdrop(jobgate, endpoint).run(false, stopped.signal);
await sleep(WAIT);

const { jobs } = (await jobgate.call(
  'GET',
  '/queues/thumbnails/jobs?statuses=failed&length=1&view=summary',
)) as { readonly jobs: readonly { readonly id: string }[] };
const pages = {
  queues: '/dashboard',
  queue: '/dashboard/queues/thumbnails?state=failed',
  job: `/dashboard/queues/thumbnails/jobs/${jobs[0]?.id ?? ''}`,
  failures: '/dashboard/failures',
  workers: '/dashboard/workers',
};
const browser = await Browser.start();
const window = await DashboardWindow.open(browser, jobgate.url);
await window.resize(1280, 'light');
await window.signIn(TOKEN);
for (const theme of ['light', 'dark'] as const) {
  await window.resize(1280, theme);
  for (const [name, path] of Object.entries(pages)) {
    await window.goTo(path);
    await sleep(SETTLE);
    await writeFile(join(FOLDER, `dashboard-${name}-${theme}.png`), await window.picture());
  }
}
await browser.stop();
await browserSession.end();
stopped.abort();
await backdrop;
await endpoint.stop();
await service.stop();
