// The service on its embedded store, an endpoint, and a few jobs to watch.
import { randomBytes } from 'node:crypto';
import type { Config } from '../../src/infrastructure/config/config.ts';
import { ConfigError } from '../../src/infrastructure/config/config-error.ts';
import { loadConfig } from '../../src/infrastructure/config/load-config.ts';
import { createLogger } from '../../src/infrastructure/create-logger.ts';
import { createService, type Service } from '../../src/infrastructure/service.ts';
import { BackdropEndpoint } from './backdrop-endpoint.ts';
import { Backdrop, withoutBackdrop } from './backdrop.ts';
import { printNextSteps } from './next-steps.ts';
import { RestClient } from './rest-client.ts';
import { SampleEndpoint } from './sample-endpoint.ts';
import { Screen } from './screen.ts';
import { tour } from './tour.ts';

const screen = new Screen(process.stdout);
const token = `demo-${randomBytes(6).toString('hex')}`;
const stopped = new AbortController();

function config(port: string | undefined): Config {
  const environment = {
    STORE: 'memory',
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

async function run(): Promise<void> {
  screen.title('jobgate demo');
  const service = await start();
  const jobgate = new RestClient(`http://127.0.0.1:${service.port}`, token);
  const endpoint = await SampleEndpoint.start(jobgate.url, screen);
  const others = await BackdropEndpoint.start(jobgate.url);
  screen.entry('Dashboard', `${jobgate.url}/dashboard`);
  screen.entry('REST interface', jobgate.url);
  screen.entry('API token', token);
  screen.entry('Store', 'embedded, ends with this process');
  screen.entry('Sample endpoint', `${endpoint.url} (sends no real mail)`);
  const backdrop = new Backdrop(jobgate, others).run(stopped.signal);
  const watch = await tour(jobgate, endpoint.url, screen, stopped.signal);
  if (!stopped.signal.aborted) printNextSteps(jobgate, screen);
  await watch.run(stopped.signal);
  await backdrop;
  // Its reports take seconds, for which nobody should wait.
  await others.stop();
  await service.stop();
  await endpoint.stop();
  screen.title('Stopped. Nothing is left behind.');
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    stopped.abort();
  });
}
try {
  await run();
} catch (error) {
  const problem = error instanceof ConfigError ? error.message : String(error);
  process.stderr.write(`The demo could not run: ${problem}\n`);
  process.exitCode = 1;
}
