// The service on its embedded store, an endpoint, and a few jobs to watch.
import { randomBytes } from 'node:crypto';
import type { Config } from '../../src/infrastructure/config/config.ts';
import { loadConfig } from '../../src/infrastructure/config/load-config.ts';
import { createLogger } from '../../src/infrastructure/create-logger.ts';
import { createService, type Service } from '../../src/infrastructure/service.ts';
import { BackdropEndpoint } from './backdrop-endpoint.ts';
import { Backdrop, withoutBackdrop } from './backdrop.ts';
import { greet } from './greeting.ts';
import { JobWatch } from './job-watch.ts';
import { printNextSteps } from './next-steps.ts';
import { RestClient } from './rest-client.ts';
import { SampleEndpoint } from './sample-endpoint.ts';
import { Screen } from './screen.ts';
import { QUEUE, register, tour } from './tour.ts';

const screen = new Screen(process.stdout);
const token = `demo-${randomBytes(6).toString('hex')}`;
const stopped = new AbortController();

/** Where the demo keeps its jobs. */
const folder = process.env['STORE_PATH'] ?? './jobgate-demo';

function config(port: string | undefined): Config {
  const environment = {
    STORE: 'embedded',
    STORE_PATH: folder,
    AUTH_TOKENS: token,
    PORT: port,
    LOG_FORMAT: 'pretty',
    DRAIN_TIME: '0',
  };
  return loadConfig(environment, { readFile: () => '', isTerminal: true });
}

/** The service on the port that is asked for, or on any free one when that is taken. */
async function start(): Promise<Service> {
  const wanted = config(process.env['PORT']);
  const service = await createService(wanted, withoutBackdrop(createLogger(wanted)));
  try {
    await service.start();
    return service;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    const anyPort = config('0');
    const other = await createService(anyPort, withoutBackdrop(createLogger(anyPort)));
    await other.start();
    screen.entry('Port', `${wanted.http.port} is taken, so ${other.port} it is`);
    return other;
  }
}

/** The next demo has endpoints at other addresses, and its jobs wait for these. */
async function removeWorkers(jobgate: RestClient): Promise<void> {
  const workers = (await jobgate.call('GET', '/workers')) as object;
  for (const queue of Object.keys(workers)) await jobgate.call('DELETE', `/workers/${queue}`);
}

async function run(): Promise<void> {
  screen.title('jobgate demo');
  const service = await start();
  const jobgate = new RestClient(`http://127.0.0.1:${service.port}`, token);
  const endpoint = await SampleEndpoint.start(jobgate.url, screen);
  const others = await BackdropEndpoint.start(jobgate.url, (text) => {
    screen.faint(`The hook says: ${text}`);
  });
  screen.entry('Dashboard', `${jobgate.url}/dashboard`);
  screen.entry('REST interface', jobgate.url);
  screen.entry('API token', token);
  screen.entry('Store', `embedded, in ${folder}`);
  screen.entry('Sample endpoint', `${endpoint.url} (sends no real mail)`);
  const isBack = await greet(jobgate, screen, folder);
  const backdrop = new Backdrop(jobgate, others);
  const running = backdrop.run(isBack, stopped.signal);
  const watch = new JobWatch(jobgate, QUEUE, screen);
  await register(jobgate, endpoint.url, screen);
  if (isBack) await watch.skip();
  else await tour(jobgate, watch, screen, stopped.signal);
  if (!stopped.signal.aborted) printNextSteps(jobgate, screen, watch.nextId);
  await watch.run(stopped.signal);
  await running;
  await backdrop.removeHook();
  await removeWorkers(jobgate);
  // Its reports take seconds, for which nobody should wait.
  await others.stop();
  await service.stop();
  await endpoint.stop();
  screen.title(`Stopped. ${folder} keeps the jobs: start the demo again, or remove it.`);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    stopped.abort();
  });
}
try {
  await run();
} catch (error) {
  const problem = error instanceof Error ? error.message : String(error);
  process.stderr.write(`The demo could not run: ${problem}\n`);
  process.exitCode = 1;
}
