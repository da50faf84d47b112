import { isReservedKey } from '../../adapters/outbound/redis/layout/own-keys.ts';
import { ConfigError } from './config-error.ts';
import type { Config, StoreConfig } from './config.ts';
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
}

/**
 * The frozen configuration for an environment (specification, "Configuration").
 *
 * @throws ConfigError naming every error.
 */
export function loadConfig(environment: Environment, surroundings: Surroundings): Config {
  const reader = new EnvironmentReader(environment, surroundings.readFile);
  const store = loadStore(reader);
  const queues = loadQueues(reader, store);
  const publicUrl = reader.given(variables.publicUrl);
  const issuers = reader.given(variables.jwtIssuersFile);
  const accessTokensFile = reader.given(variables.accessTokensFile);
  const config: Config = {
    http: {
      port: reader.value(variables.port),
      maxBodySize: reader.value(variables.maxBodySize),
      maxConnections: reader.value(variables.maxConnections),
      drainTime: reader.value(variables.drainTime),
    },
    auth: {
      tokens: reader.given(variables.authTokens) ?? [],
      digests: reader.given(variables.authTokensSha256) ?? [],
      ...(accessTokensFile !== undefined && { file: accessTokensFile }),
      proxies: reader.given(variables.trustProxy) ?? [],
      issuers: issuers === undefined ? [] : parseJwtIssuers(issuers),
      limits: loadLimits(reader),
    },
    dashboard: reader.value(variables.dashboard),
    ...loadSqs(reader),
    store,
    queues,
    workers: {
      metadataKey: loadMetadataKey(reader, queues.prefix),
      lockDuration: reader.value(variables.lockDuration),
      stalledInterval: reader.value(variables.stalledInterval),
      encryptionKeys: loadEncryptionKeys(reader),
    },
    webhook: {
      client: reader.value(variables.webhookClient),
      defaultTimeout: reader.value(variables.defaultEndpointTimeout),
      maxResponseSize: reader.value(variables.maxResponseSize),
      ...(publicUrl !== undefined && { publicUrl }),
      outbound: {
        policy: reader.value(variables.outboundPolicy),
        allow: reader.given(variables.outboundAllow) ?? [],
        deny: reader.given(variables.outboundDeny) ?? [],
      },
    },
    audit: { kept: reader.value(variables.auditKept) },
    sight: { queues: reader.value(variables.sightQueues) },
    metrics: loadMetrics(reader),
    ...loadTraces(reader),
    log: {
      level: reader.value(variables.debug) ? 'debug' : 'info',
      format: reader.given(variables.logFormat) ?? (surroundings.isTerminal ? 'pretty' : 'json'),
    },
    processes: loadProcesses(reader, store),
    shutdownTimeout: reader.value(variables.shutdownTimeout),
  };
  if (reader.problems.length > 0) throw new ConfigError(reader.problems);
  return deepFreeze(config);
}

function loadQueues(reader: EnvironmentReader, store: StoreConfig): Config['queues'] {
  const { queuePrefix, minQueueNameLength, maxQueueNameLength } = variables;
  const prefix = reader.value(queuePrefix);
  const isCluster = store.kind === 'redis' && store.topology.kind === 'cluster';
  if (isCluster && !prefix.startsWith('{')) {
    reader.reject(queuePrefix, 'be wrapped in braces, such as {jobs}, in a cluster');
  }
  const min = reader.value(minQueueNameLength);
  const max = reader.value(maxQueueNameLength);
  const defaultRetention = reader.given(variables.defaultRetention);
  if (min > max) reader.reject(minQueueNameLength, `not exceed ${maxQueueNameLength.name}`);
  return {
    prefix,
    cacheSize: reader.value(variables.queueCacheSize),
    nameLimits: { min, max },
    maxJobsPerAdd: reader.value(variables.maxJobsPerAdd),
    ...(defaultRetention !== undefined && { defaultRetention }),
    eventsKept: reader.value(variables.eventsKept),
  };
}

function loadEncryptionKeys(reader: EnvironmentReader): Config['workers']['encryptionKeys'] {
  const { encryptionKeys, encryptionKeysFile } = variables;
  if (reader.isSet(encryptionKeys) && reader.isSet(encryptionKeysFile)) {
    reader.reject(encryptionKeysFile, `not be given together with ${encryptionKeys.name}`);
  }
  return reader.given(encryptionKeys) ?? reader.given(encryptionKeysFile) ?? [];
}

function loadLimits(reader: EnvironmentReader): Config['auth']['limits'] {
  const requests = reader.given(variables.limitRequests);
  const jobs = reader.given(variables.limitJobs);
  return { ...(requests !== undefined && { requests }), ...(jobs !== undefined && { jobs }) };
}

function loadSqs(reader: EnvironmentReader): Pick<Config, 'sqs'> {
  const baseUrl = reader.given(variables.sqsBaseUrl);
  if (reader.value(variables.sqs) === 'off') return {};
  return { sqs: { ...(baseUrl !== undefined && { baseUrl }) } };
}

function loadTraces(reader: EnvironmentReader): Pick<Config, 'traces'> {
  const attempts = reader.value(variables.traceAttempts);
  const endpoint = reader.given(variables.traceEndpoint);
  // OpenTelemetry appends this path for each kind of exported data.
  return endpoint === undefined ? {} : { traces: { url: `${endpoint}/v1/traces`, attempts } };
}

function loadMetrics(reader: EnvironmentReader): Config['metrics'] {
  const { port: mainPort, metricsPort, metricsQueues } = variables;
  const port = reader.given(metricsPort);
  if (port !== undefined && port !== 0 && port === reader.value(mainPort)) {
    reader.reject(metricsPort, `differ from ${mainPort.name}`);
  }
  if (port !== undefined && reader.value(variables.webConcurrency) > 1) {
    reader.reject(
      metricsPort,
      'not be given with WEB_CONCURRENCY above 1: each process has metrics of its own',
    );
  }
  return { queues: reader.value(metricsQueues), ...(port !== undefined && { port }) };
}

function loadMetadataKey(reader: EnvironmentReader, prefix: string): string {
  const { workerMetadataKey } = variables;
  const key = reader.value(workerMetadataKey);
  if (isReservedKey(prefix, key)) {
    const must = 'not have the form of the keys of queues, <QUEUE_PREFIX>:<queue>:...';
    reader.reject(workerMetadataKey, must);
  }
  return key;
}

function loadProcesses(reader: EnvironmentReader, store: StoreConfig): number {
  const { webConcurrency } = variables;
  const processes = reader.value(webConcurrency);
  if (processes > 1 && (store.kind === 'embedded' || store.kind === 'memory')) {
    reader.reject(webConcurrency, `be 1 with STORE=${store.kind}, which lives in one process`);
  }
  return processes;
}
