import { isReservedKey } from '../../adapters/outbound/redis/layout/own-keys.ts';
import { ConfigError } from './config-error.ts';
import type { Config, StoreConfig } from './config.ts';
import { deepFreeze } from './deep-freeze.ts';
import { loadStore } from './store-config.ts';
import type { ReadFile } from './store-tls.ts';
import { Variables, type Environment } from './variables.ts';

/** What the surroundings of the process tell besides its environment. */
export interface Surroundings {
  readonly readFile: ReadFile;
  /** Whether a person reads the log. */
  readonly isTerminal: boolean;
}

/** The longest a timer can run, in milliseconds. */
const MAX_TIME = 2 ** 31 - 1;

/** More processes than any machine has cores are a slip of the pen. */
const MAX_PROCESSES = 512;

const MEGABYTE = 1024 * 1024;

/** A name that may be part of a key: the store's own tools print keys as they are. */
// eslint-disable-next-line no-control-regex -- control characters are what the rule refuses
const NO_CONTROL_CHARACTERS = /^[^\u0000-\u001f\u007f-\u009f]+$/;

/**
 * Braces choose the slot of a key in a cluster: half a pair or two of them would choose a wrong one. A
 * colon ends the prefix in every key.
 */
// eslint-disable-next-line no-control-regex -- control characters are what the rule refuses
const PREFIX = /^(?:[^{}:\u0000-\u001f\u007f-\u009f]+|\{[^{}:\u0000-\u001f\u007f-\u009f]+\})$/;

/**
 * The configuration that an environment describes (specification, "Configuration"), frozen.
 *
 * @throws ConfigError that names every mistake.
 */
export function loadConfig(environment: Environment, surroundings: Surroundings): Config {
  const variables = new Variables(environment);
  const store = loadStore(variables, surroundings.readFile);
  const queues = loadQueues(variables, store);
  const config: Config = {
    http: {
      port: variables.integer('PORT', 8080, 0, 65_535),
      maxBodySize: variables.size('MAX_BODY_SIZE', 10 * MEGABYTE),
      maxConnections: variables.integer('MAX_CONNECTIONS', 10_000, 1, Number.MAX_SAFE_INTEGER),
      drainTime: variables.integer('DRAIN_TIME', 2000, 0, MAX_TIME),
    },
    auth: { tokens: loadTokens(variables) },
    store,
    queues,
    workers: {
      metadataKey: loadMetadataKey(variables, queues.prefix),
      lockDuration: variables.integer('LOCK_DURATION', 30_000, 1, MAX_TIME),
      stalledInterval: variables.integer('STALLED_INTERVAL', 30_000, 1, MAX_TIME),
    },
    webhook: {
      client: variables.oneOf('WEBHOOK_CLIENT', ['undici', 'node-fetch']),
      defaultTimeout: variables.integer('DEFAULT_ENDPOINT_TIMEOUT', 600_000, 1, MAX_TIME),
      maxResponseSize: variables.size('MAX_RESPONSE_SIZE', MEGABYTE),
    },
    log: loadLog(variables, surroundings),
    processes: loadProcesses(variables, store),
    shutdownTimeout: variables.integer('SHUTDOWN_TIMEOUT', 30_000, 0, MAX_TIME),
  };
  if (variables.problems.length > 0) throw new ConfigError(variables.problems);
  return deepFreeze(config);
}

function loadTokens(variables: Variables): readonly string[] {
  const tokens = variables.list('AUTH_TOKENS');
  if (tokens.some((token) => /\s/.test(token))) {
    variables.reject('AUTH_TOKENS', 'hold no token with a blank in it');
  }
  return tokens;
}

function loadQueues(variables: Variables, store: StoreConfig): Config['queues'] {
  const prefix = variables.matching(
    'QUEUE_PREFIX',
    'bull',
    PREFIX,
    'be a text without ":" and control characters, and with braces only around the whole of it',
  );
  const isCluster = store.kind === 'redis' && store.topology.kind === 'cluster';
  if (isCluster && !prefix.startsWith('{')) {
    variables.reject('QUEUE_PREFIX', 'be wrapped in braces, such as {jobs}, in a cluster');
  }
  const min = variables.integer('MIN_QUEUE_NAME_LENGTH', 3, 1, Number.MAX_SAFE_INTEGER);
  const max = variables.integer('MAX_QUEUE_NAME_LENGTH', 100, 1, Number.MAX_SAFE_INTEGER);
  if (min > max) variables.reject('MIN_QUEUE_NAME_LENGTH', 'not exceed MAX_QUEUE_NAME_LENGTH');
  return {
    prefix,
    cacheSize: variables.integer('QUEUE_CACHE_SIZE', 100, 1, Number.MAX_SAFE_INTEGER),
    nameLimits: { min, max },
    maxJobsPerAdd: variables.integer('MAX_JOBS_PER_ADD', 10_000, 1, Number.MAX_SAFE_INTEGER),
  };
}

function loadMetadataKey(variables: Variables, prefix: string): string {
  const name = 'WORKER_METADATA_KEY';
  const must = 'be a text without control characters';
  const key = variables.matching(name, 'jobgate:workers', NO_CONTROL_CHARACTERS, must);
  if (isReservedKey(prefix, key)) {
    variables.reject(name, 'not have the form of the keys of queues, <QUEUE_PREFIX>:<queue>:...');
  }
  return key;
}

function loadProcesses(variables: Variables, store: StoreConfig): number {
  const processes = variables.integer('WEB_CONCURRENCY', 1, 1, MAX_PROCESSES);
  if (processes > 1 && store.kind === 'memory') {
    variables.reject('WEB_CONCURRENCY', 'be 1 with STORE=memory, which lives in one process');
  }
  return processes;
}

function loadLog(variables: Variables, { isTerminal }: Surroundings): Config['log'] {
  const debug = variables.boolean('DEBUG') ?? false;
  const byDefault = isTerminal ? 'pretty' : 'json';
  const format = variables.isSet('LOG_FORMAT')
    ? variables.oneOf('LOG_FORMAT', ['json', 'pretty'])
    : byDefault;
  return { level: debug ? 'debug' : 'info', format };
}
