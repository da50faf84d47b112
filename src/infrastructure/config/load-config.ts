import { isReservedKey } from '../../adapters/outbound/redis/layout/own-keys.ts';
import type { TokenLimits } from '../../domain/access/token-limits.ts';
import { ConfigError } from './config-error.ts';
import type { StoreConfig } from './config.ts';
import { deepFreeze } from './deep-freeze.ts';
import { EnvironmentReader, type Environment } from './environment-reader.ts';
import type { ReadFile } from './readers.ts';
import { parseJwtIssuers } from './jwt-issuers-file.ts';
import { loadStore } from './store-config.ts';
import { variables } from './variables.ts';

/** What the configuration depends on besides the environment variables. */
export interface Surroundings {
  readonly readFile: ReadFile;
  /** Whether the log is read by a person. */
  readonly isTerminal: boolean;
  /** Whether only this machine is served. */
  readonly isLocal?: boolean;
}

/**
 * The frozen configuration for an environment (specification, "Configuration"): validated and complete, with times in
 * milliseconds and sizes in bytes.
 *
 * @throws ConfigError naming every error.
 */
export function loadConfig(environment: Environment, surroundings: Surroundings) {
  const reader = new EnvironmentReader(environment, surroundings.readFile);
  const store = loadStore(reader);
  const queues = loadQueues(reader, store);
  const publicUrl = reader.given(variables.PUBLIC_URL);
  const issuers = reader.given(variables.JWT_ISSUERS_FILE);
  const accessTokensFile = reader.given(variables.ACCESS_TOKENS_FILE);
  const signInFile = reader.given(variables.SIGN_IN_FILE);
  reader.requireWith(variables.SIGN_IN_FILE, variables.PUBLIC_URL);
  const config = {
    http: {
      /** 0 for any free port. */
      port: reader.value(variables.PORT),
      ...(surroundings.isLocal === true && { address: '127.0.0.1' }),
      maxBodySize: reader.value(variables.MAX_BODY_SIZE),
      /** Connections beyond this number are refused. */
      maxConnections: reader.value(variables.MAX_CONNECTIONS),
      /** How long requests are still served after the stop signal. */
      drainTime: reader.value(variables.DRAIN_TIME),
    },
    auth: {
      /** Without any tokens or digests, every request is refused. */
      tokens: reader.given(variables.AUTH_TOKENS) ?? [],
      /** SHA-256 of further tokens, in lowercase hex. */
      digests: reader.given(variables.AUTH_TOKENS_SHA256) ?? [],
      /** The path of a file with more tokens. */
      ...(accessTokensFile !== undefined && { file: accessTokensFile }),
      /** The path of a file that says how people sign in. */
      ...(signInFile !== undefined && { signInFile }),
      /** Networks of trusted proxies, in CIDR notation. */
      proxies: reader.given(variables.TRUST_PROXY) ?? [],
      /** Issuers whose tokens are accepted. */
      issuers: issuers === undefined ? [] : parseJwtIssuers(issuers),
      /** The limits of tokens without limits of their own. */
      limits: loadLimits(reader),
    },
    /** Whether the web pages are served, and whether they may change anything. */
    dashboard: reader.value(variables.DASHBOARD),
    ...loadSqs(reader),
    qstash: loadQstash(reader),
    store,
    queues,
    workers: {
      /** The key that holds the registered workers. */
      metadataKey: loadMetadataKey(reader, queues.prefix),
      /** How long an attempt is safe from the stalled check unless its lock is renewed. */
      lockDuration: reader.value(variables.LOCK_DURATION),
      stalledInterval: reader.value(variables.STALLED_INTERVAL),
      /** The keys for secrets in the store: the first encrypts, all decrypt. */
      encryptionKeys: loadEncryptionKeys(reader),
    },
    webhook: {
      client: reader.value(variables.WEBHOOK_CLIENT),
      /** For endpoints without a timeout of their own. */
      defaultTimeout: reader.value(variables.DEFAULT_ENDPOINT_TIMEOUT),
      maxResponseSize: reader.value(variables.MAX_RESPONSE_SIZE),
      /** The URL at which endpoints reach this service, without a trailing slash. */
      ...(publicUrl !== undefined && { publicUrl }),
      outbound: {
        policy: reader.value(variables.OUTBOUND_POLICY),
        allow: reader.given(variables.OUTBOUND_ALLOW) ?? [],
        deny: reader.given(variables.OUTBOUND_DENY) ?? [],
      },
    },
    /** How many of the latest entries are kept. */
    audit: { kept: reader.value(variables.AUDIT_KEPT) },
    /** How many queues are read for lists that are not sorted by name, and for figures of all queues. */
    sight: { queues: reader.value(variables.SIGHT_QUEUES) },
    metrics: loadMetrics(reader),
    ...loadTraces(reader),
    log: {
      level: reader.value(variables.DEBUG) ? 'debug' : 'info',
      format: reader.given(variables.LOG_FORMAT) ?? (surroundings.isTerminal ? 'pretty' : 'json'),
    },
    /** How many processes serve the port. */
    processes: loadProcesses(reader, store),
    /** Maximum duration of the shutdown after the stop signal, including `drainTime` and running calls. */
    shutdownTimeout: reader.value(variables.SHUTDOWN_TIMEOUT),
  } as const;
  if (reader.problems.length > 0) throw new ConfigError(reader.problems);
  return deepFreeze(config);
}

function loadQueues(reader: EnvironmentReader, store: StoreConfig) {
  const { QUEUE_PREFIX, MIN_QUEUE_NAME_LENGTH, MAX_QUEUE_NAME_LENGTH } = variables;
  const prefix = reader.value(QUEUE_PREFIX);
  const isCluster = store.kind === 'redis' && store.topology.kind === 'cluster';
  if (isCluster && !prefix.startsWith('{')) {
    reader.reject(QUEUE_PREFIX, 'be wrapped in braces, such as {jobs}, in a cluster');
  }
  const min = reader.value(MIN_QUEUE_NAME_LENGTH);
  const max = reader.value(MAX_QUEUE_NAME_LENGTH);
  const defaultRetention = reader.given(variables.DEFAULT_RETENTION);
  if (min > max) reader.reject(MIN_QUEUE_NAME_LENGTH, `not exceed ${MAX_QUEUE_NAME_LENGTH.name}`);
  return {
    /** Prefix of every key in the store; `{tag}` for stores that require all keys in one slot. */
    prefix,
    /** How many queue instances are cached at most. */
    cacheSize: reader.value(variables.QUEUE_CACHE_SIZE),
    nameLimits: { min, max },
    maxJobsPerAdd: reader.value(variables.MAX_JOBS_PER_ADD),
    /** Which ended jobs may stay in queues whose policies say nothing of it; all when absent. */
    ...(defaultRetention !== undefined && { defaultRetention }),
    /** How many of its latest events a queue keeps, approximately. */
    eventsKept: reader.value(variables.EVENTS_KEPT),
  } as const;
}

function loadEncryptionKeys(reader: EnvironmentReader) {
  const { ENCRYPTION_KEYS, ENCRYPTION_KEYS_FILE } = variables;
  if (reader.isSet(ENCRYPTION_KEYS) && reader.isSet(ENCRYPTION_KEYS_FILE)) {
    reader.reject(ENCRYPTION_KEYS_FILE, `not be given together with ${ENCRYPTION_KEYS.name}`);
  }
  return reader.given(ENCRYPTION_KEYS) ?? reader.given(ENCRYPTION_KEYS_FILE) ?? [];
}

function loadLimits(reader: EnvironmentReader): TokenLimits {
  const requests = reader.given(variables.LIMIT_REQUESTS);
  const jobs = reader.given(variables.LIMIT_JOBS);
  return { ...(requests !== undefined && { requests }), ...(jobs !== undefined && { jobs }) };
}

/**
 * `sqs` is absent when programs that speak Amazon SQS are not served. Its `baseUrl` is scheme and authority of the URLs of
 * queues, without a trailing slash; those of each request when absent.
 */
function loadSqs(reader: EnvironmentReader) {
  const baseUrl = reader.given(variables.SQS_BASE_URL);
  const isServed = reader.value(variables.SQS) === 'on';
  return { ...(isServed && { sqs: { ...(baseUrl !== undefined && { baseUrl }) } }) } as const;
}

/** Without `keys`, those that sign messages are drawn once and kept. */
function loadQstash(reader: EnvironmentReader) {
  const { QSTASH, QSTASH_CURRENT_SIGNING_KEY, QSTASH_NEXT_SIGNING_KEY } = variables;
  const current = reader.given(QSTASH_CURRENT_SIGNING_KEY);
  const next = reader.given(QSTASH_NEXT_SIGNING_KEY);
  reader.requireWith(QSTASH_CURRENT_SIGNING_KEY, QSTASH_NEXT_SIGNING_KEY);
  reader.requireWith(QSTASH_NEXT_SIGNING_KEY, QSTASH_CURRENT_SIGNING_KEY);
  return {
    /** Whether programs that speak QStash are served. */
    isServed: reader.value(QSTASH) === 'on',
    ...(current !== undefined && next !== undefined && { keys: { current, next } }),
  } as const;
}

/** `traces` is absent when nothing is traced. */
function loadTraces(reader: EnvironmentReader) {
  const attempts = reader.value(variables.OTEL_JOBGATE_TRACES);
  const endpoint = reader.given(variables.OTEL_EXPORTER_OTLP_ENDPOINT);
  // OpenTelemetry appends this path for each kind of exported data.
  const traces = endpoint !== undefined && { url: `${endpoint}/v1/traces`, attempts };
  return { ...(traces && { traces }) } as const;
}

function loadMetrics(reader: EnvironmentReader) {
  const { PORT, METRICS_PORT, METRICS_QUEUES } = variables;
  const port = reader.given(METRICS_PORT);
  if (port !== undefined && port !== 0 && port === reader.value(PORT)) {
    reader.reject(METRICS_PORT, `differ from ${PORT.name}`);
  }
  if (port !== undefined && reader.value(variables.WEB_CONCURRENCY) > 1) {
    reader.reject(
      METRICS_PORT,
      'not be given with WEB_CONCURRENCY above 1: each process has metrics of its own',
    );
  }
  return {
    /** How many queues are labelled with their own name. */
    queues: reader.value(METRICS_QUEUES),
    /** The port that serves metrics without a token; no such port when absent. 0 for any free port. */
    ...(port !== undefined && { port }),
  } as const;
}

function loadMetadataKey(reader: EnvironmentReader, prefix: string): string {
  const { WORKER_METADATA_KEY } = variables;
  const key = reader.value(WORKER_METADATA_KEY);
  if (isReservedKey(prefix, key)) {
    const must = 'not have the form of the keys of queues, <QUEUE_PREFIX>:<queue>:...';
    reader.reject(WORKER_METADATA_KEY, must);
  }
  return key;
}

function loadProcesses(reader: EnvironmentReader, store: StoreConfig): number {
  const { WEB_CONCURRENCY } = variables;
  const processes = reader.value(WEB_CONCURRENCY);
  if (processes > 1 && (store.kind === 'embedded' || store.kind === 'memory')) {
    reader.reject(WEB_CONCURRENCY, `be 1 with STORE=${store.kind}, which lives in one process`);
  }
  return processes;
}
