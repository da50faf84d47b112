import cluster from 'node:cluster';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { collectGarbageOfStart } from '../adapters/shared/garbage-of-start.ts';
import type { LoggerPort } from '../application/ports/logger-port.ts';
import { configDoubts } from './config/config-doubts.ts';
import type { Environment } from './config/environment-reader.ts';
import { ConfigError } from './config/config-error.ts';
import { chosenStore, IN_PRODUCTION, type ChosenStore } from './config/chosen-store.ts';
import type { Config } from './config/config.ts';
import { loadConfig } from './config/load-config.ts';
import { qstashDevEnvironment } from './config/qstash-dev.ts';
import { variableNames } from './config/variables.ts';
import { stopWithGroup } from './lifecycle/group-member.ts';
import { hasLocalRedis } from './lifecycle/local-redis.ts';
import { ProcessGroup } from './lifecycle/process-group.ts';
import { logAllOutput } from './lifecycle/process-output.ts';
import type { ProcessSignals } from './lifecycle/process-signals.ts';
import { createLogger } from './create-logger.ts';
import { createService, type Service } from './service.ts';
import { version } from './version.ts';

/** How much longer (ms) the supervisor waits for its processes than they wait themselves. */
const SUPERVISOR_MARGIN = 1000;

function readConfig(isLocal: boolean): Config {
  return loadConfig(process.env, {
    isLocal,
    readFile: (path) => readFileSync(path, 'utf8'),
    isTerminal: process.stdout.isTTY,
  });
}

async function serve(config: Config, logger: LoggerPort, signals: ProcessSignals): Promise<void> {
  const service = await createService(config, logger);
  const { shutdownTimeout: timeout } = config;
  signals.govern(
    { stop: (signal) => service.stop(signal), timeout, supervised: cluster.isWorker },
    logger,
  );
  stopWithGroup();
  const started = await service.start();
  if (started && cluster.isPrimary) announce(config, service, logger);
}

async function supervise(
  config: Config,
  logger: LoggerPort,
  signals: ProcessSignals,
): Promise<void> {
  const group = new ProcessGroup(config.processes, config.http.drainTime, logger);
  signals.govern(
    {
      stop: (signal) => group.stop(signal),
      kill: () => group.kill(),
      timeout: config.shutdownTimeout + SUPERVISOR_MARGIN,
      supervised: false,
    },
    logger,
  );
  announce(config, { port: await group.start(), metricsPort: config.metrics.port }, logger);
}

function announce(
  { store, processes }: Config,
  { port, metricsPort }: Pick<Service, 'port' | 'metricsPort'>,
  logger: LoggerPort,
): void {
  logger.info('jobgate is listening', {
    port,
    ...(metricsPort !== undefined && { metricsPort }),
    store: store.kind,
    ...(processes > 1 && { processes }),
    version: version(),
  });
}

function logDoubts(given: Environment, { processes, store }: Config, logger: LoggerPort): void {
  const context = { processes, cores: availableParallelism(), store: store.kind };
  for (const { message, fields } of configDoubts(given, context)) logger.warn(message, fields);
}

function logStore({ store }: Config, chosen: ChosenStore | undefined, logger: LoggerPort): void {
  const fields = { store: store.kind, ...(store.kind === 'embedded' && { path: store.path }) };
  logger.info('Store chosen', { ...fields, reason: chosen?.reason });
  if (chosen?.reason !== IN_PRODUCTION) return;
  const ways =
    'STORE_URI=redis://HOST:PORT for Redis, STORE_URI=postgres://HOST:PORT/DATABASE for PostgreSQL, STORE_PATH=FOLDER for a folder of this machine, STORE=memory to keep nothing';
  logger.warn(`No store is configured, so a Redis at localhost:6379 is waited for: set ${ways}`);
}

async function run(signals: ProcessSignals, isLocal = false): Promise<void> {
  const chosen = await chosenStore(process.env, { hasFolder: existsSync, hasRedis: hasLocalRedis });
  const given = { ...process.env };
  // The other processes of a group use the same.
  if (chosen !== undefined) process.env['STORE'] = chosen.kind;
  const config = readConfig(isLocal);
  const logger = createLogger(config);
  logAllOutput(logger);
  if (cluster.isPrimary) {
    logDoubts(given, config, logger);
    logStore(config, chosen, logger);
  }
  if (cluster.isPrimary && config.processes > 1) await supervise(config, logger, signals);
  else await serve(config, logger, signals);
  collectGarbageOfStart();
}

/** The error without a stack, for people who start the service manually. */
function explain(error: unknown): string {
  if (error instanceof ConfigError)
    return `${error.message}\njobgate help service lists all variables.`;
  const reason = `jobgate could not start: ${error instanceof Error ? error.message : String(error)}`;
  return (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
    ? `${reason}\nSet PORT or METRICS_PORT (QSTASH_DEV_PORT for qstash-dev) to a free port, or stop the program that has this one.`
    : reason;
}

/** Environment variables configure the service, so that an option in front of a command is meant as one of them or is misplaced. */
function whyNoOption(option: string, next = 'VALUE'): string {
  const [name = '', value = next] = option.replace(/^--?/, '').split('=');
  const variable = name.toUpperCase().replaceAll('-', '_');
  return variableNames.includes(variable)
    ? `The service is configured by environment variables: set ${variable}=${value}`
    : `Options follow a command, but ${option} comes first: jobgate help`;
}

/** Runs the command in the arguments of the process; without any, the service. */
export async function runCommandLine(
  [argument, value]: readonly string[],
  signals: ProcessSignals,
): Promise<void> {
  if (argument === 'help') {
    const { serviceHelp } = await import('./help.ts');
    process.stdout.write(serviceHelp());
  } else if (argument === '--version' || argument === '-v') {
    process.stdout.write(`${version()}\n`);
  } else if (argument !== undefined) {
    process.stderr.write(`jobgate: ${whyNoOption(argument, value)}\n`);
    process.exitCode = 2;
  } else {
    run(signals).catch(fail);
  }
}

/** Runs the service for programs that are tried with QSTASH_DEV=1, on this machine alone. */
export async function runQstashDev(signals: ProcessSignals): Promise<void> {
  Object.assign(process.env, await qstashDevEnvironment(process.env));
  await run(signals, true).catch(fail);
}

function fail(error: unknown): never {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
