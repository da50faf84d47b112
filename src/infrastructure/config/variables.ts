import {
  anyText,
  digestList,
  encryptionKeys,
  encryptionKeysFile,
  file,
  hostList,
  integer,
  limit,
  networkList,
  oneOf,
  publicUrl,
  outboundList,
  size,
  storeUri,
  textLike,
  time,
  tokenList,
  trueOrFalse,
  type Reader,
} from './readers.ts';

/** An environment variable, with everything that loading, `--help` and docs/configuration.md need. */
export interface Variable<Value = unknown> {
  readonly name: string;
  readonly group: VariableGroup;
  /** A plain description, with Markdown for code and for links within docs/. */
  readonly meaning: string;
  readonly reads: Reader<Value>;
  /** The default, in the form in which it would be set. */
  readonly default?: string;
  /** In place of a default: what the value depends on. */
  readonly otherwise?: string;
  /** Secret: must not be displayed, or stored where configuration is public. */
  readonly isSecret?: true;
}

export type VariableGroup = 'Service' | 'Store' | 'Queues and workers' | 'Calls to endpoints';

/** More processes than any machine has cores are probably a typo. */
const MAX_PROCESSES = 512;

/** Reading more queues takes minutes. */
const MAX_SIGHT_QUEUES = 1_000_000;

/** Each queue adds a few hundred lines to the page. */
const MAX_METRICS_QUEUES = 10_000;

/**
 * Braces select the slot of a key in a cluster: an unmatched brace or two pairs would select a wrong one. A colon ends
 * the prefix in every key.
 */
const prefix = textLike(
  // eslint-disable-next-line no-control-regex -- control characters are what the rule refuses
  /^(?:[^{}:\u0000-\u001f\u007f-\u009f]+|\{[^{}:\u0000-\u001f\u007f-\u009f]+\})$/,
  'be text without ":" and control characters, and with braces only around the whole of it',
);

/** May name a key, since the store's own tools print keys unescaped. */
const key = textLike(
  // eslint-disable-next-line no-control-regex -- control characters are what the rule refuses
  /^[^\u0000-\u001f\u007f-\u009f]+$/,
  'be text without control characters',
);

/** Every environment variable, in the order in which a reader looks for them. */
export const variables = {
  authTokens: {
    name: 'AUTH_TOKENS',
    group: 'Service',
    meaning: 'API tokens, separated by commas; without any, every request is refused',
    reads: tokenList,
    isSecret: true,
  },
  authTokensSha256: {
    name: 'AUTH_TOKENS_SHA256',
    group: 'Service',
    meaning: 'SHA-256 of further API tokens in hex, separated by commas, in place of the tokens',
    reads: digestList,
  },
  accessTokensFile: {
    name: 'ACCESS_TOKENS_FILE',
    group: 'Service',
    meaning:
      'path of a JSON file of [tokens with rights](access.md#a-file-of-tokens), read again when it changes',
    reads: textLike(/./, 'be the path of a file'),
  },
  limitRequests: {
    name: 'LIMIT_REQUESTS',
    group: 'Service',
    meaning:
      'requests that a token without [limits](access.md#limits) of its own may send in so many ms, such as `1000/60000`',
    reads: limit,
  },
  limitJobs: {
    name: 'LIMIT_JOBS',
    group: 'Service',
    meaning: 'jobs that such a token may add in so many ms',
    reads: limit,
  },
  trustProxy: {
    name: 'TRUST_PROXY',
    group: 'Service',
    meaning:
      'networks of proxies, such as `10.0.0.0/8,127.0.0.1`, whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed',
    reads: networkList,
  },
  jwtIssuersFile: {
    name: 'JWT_ISSUERS_FILE',
    group: 'Service',
    meaning:
      'path of a JSON file of [issuers](access.md#tokens-of-workloads) whose JWT are accepted',
    reads: file,
  },
  encryptionKeys: {
    name: 'ENCRYPTION_KEYS',
    group: 'Service',
    meaning:
      'keys such as `2026b:<base64 of 32 bytes>,2026a:…` for [secrets at rest](access.md#secrets-at-rest): the first writes, all read',
    reads: encryptionKeys,
    isSecret: true,
  },
  encryptionKeysFile: {
    name: 'ENCRYPTION_KEYS_FILE',
    group: 'Service',
    meaning: 'path of a file that holds them, in place of the variable',
    reads: encryptionKeysFile,
  },
  auditKept: {
    name: 'AUDIT_KEPT',
    group: 'Service',
    meaning: 'entries of the [audit](access.md#audit) that are kept, the latest',
    reads: integer(1, 10_000_000),
    default: '100000',
  },
  dashboard: {
    name: 'DASHBOARD',
    group: 'Service',
    meaning:
      '`on`, `readonly` for [pages](dashboard.md) without actions, or `off` for none; `readonly` refuses whatever a session would change',
    reads: oneOf('on', 'readonly', 'off'),
    default: 'on',
  },
  port: {
    name: 'PORT',
    group: 'Service',
    meaning: 'port to listen on; 0 for any that is free',
    reads: integer(0, 65_535),
    default: '8080',
  },
  debug: {
    name: 'DEBUG',
    group: 'Service',
    meaning: '`true` logs details: every request, every attempt',
    reads: trueOrFalse,
    default: 'false',
  },
  logFormat: {
    name: 'LOG_FORMAT',
    group: 'Service',
    meaning: '`json` or `pretty`',
    reads: oneOf('json', 'pretty'),
    otherwise: '`pretty` on a terminal, else `json`',
  },
  maxBodySize: {
    name: 'MAX_BODY_SIZE',
    group: 'Service',
    meaning: 'largest request body',
    reads: size,
    default: '10mb',
  },
  webConcurrency: {
    name: 'WEB_CONCURRENCY',
    group: 'Service',
    meaning: 'processes that serve behind the port, one per core at most; 1 with `STORE=memory`',
    reads: integer(1, MAX_PROCESSES),
    default: '1',
  },
  maxConnections: {
    name: 'MAX_CONNECTIONS',
    group: 'Service',
    meaning: 'connections of clients to each process; more are closed unanswered',
    reads: integer(1),
    default: '10000',
  },
  drainTime: {
    name: 'DRAIN_TIME',
    group: 'Service',
    meaning: 'ms that requests are still served after SIGTERM',
    reads: time(0),
    default: '2000',
  },
  shutdownTimeout: {
    name: 'SHUTDOWN_TIMEOUT',
    group: 'Service',
    meaning: 'ms that running calls may take after SIGTERM, `DRAIN_TIME` included',
    reads: time(0),
    default: '30000',
  },
  metricsPort: {
    name: 'METRICS_PORT',
    group: 'Service',
    meaning:
      'port for `GET /metrics` alone, without a token; refused if `WEB_CONCURRENCY` is above 1',
    reads: integer(0, 65_535),
  },
  metricsQueues: {
    name: 'METRICS_QUEUES',
    group: 'Service',
    meaning: 'queues that have a name in the metrics, the most active ones; the rest is `other`',
    reads: integer(0, MAX_METRICS_QUEUES),
    default: '100',
  },
  traceEndpoint: {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    group: 'Service',
    meaning:
      'URL of a collector of OpenTelemetry, such as `http://localhost:4318`, for [traces](traces.md)',
    reads: publicUrl,
  },
  traceAttempts: {
    name: 'OTEL_JOBGATE_TRACES',
    group: 'Service',
    meaning:
      'how attempts stand to the trace of their add: `link` for traces of their own with a link, `parent` for children',
    reads: oneOf('link', 'parent'),
    default: 'link',
  },
  sightQueues: {
    name: 'SIGHT_QUEUES',
    group: 'Service',
    meaning:
      'queues, the first by name, that are looked at for lists in another order than by name and for figures of all',
    reads: integer(1, MAX_SIGHT_QUEUES),
    default: '10000',
  },
  store: {
    name: 'STORE',
    group: 'Store',
    meaning: '`redis`, or `memory` for the embedded store',
    reads: oneOf('redis', 'memory'),
    default: 'redis',
  },
  storeUri: {
    name: 'STORE_URI',
    group: 'Store',
    meaning:
      '`redis://user:password@host:port/database`, `rediss://` for TLS, in place of the next four',
    reads: storeUri,
    isSecret: true,
  },
  storeHost: {
    name: 'STORE_HOST',
    group: 'Store',
    meaning: 'host',
    reads: textLike(/^[^\s/@]+$/, 'be a host name or address'),
    default: 'localhost',
  },
  storePort: {
    name: 'STORE_PORT',
    group: 'Store',
    meaning: 'port',
    reads: integer(1, 65_535),
    default: '6379',
  },
  storeUsername: {
    name: 'STORE_USERNAME',
    group: 'Store',
    meaning: 'user name',
    reads: anyText,
  },
  storePassword: {
    name: 'STORE_PASSWORD',
    group: 'Store',
    meaning: 'password',
    reads: anyText,
    isSecret: true,
  },
  storeTls: {
    name: 'STORE_TLS',
    group: 'Store',
    meaning: '`true` encrypts the connections',
    reads: trueOrFalse,
    otherwise: 'as the URI and the files say',
  },
  storeTlsCa: {
    name: 'STORE_TLS_CA',
    group: 'Store',
    meaning: 'file with the authority to trust',
    reads: file,
  },
  storeTlsCert: {
    name: 'STORE_TLS_CERT',
    group: 'Store',
    meaning: 'file with the client certificate',
    reads: file,
  },
  storeTlsKey: {
    name: 'STORE_TLS_KEY',
    group: 'Store',
    meaning: 'file with the key of the client certificate',
    reads: file,
  },
  storeClusterNodes: {
    name: 'STORE_CLUSTER_NODES',
    group: 'Store',
    meaning: '`host:port,...` of a Redis Cluster; needs `QUEUE_PREFIX={tag}`',
    reads: hostList,
  },
  storeSentinels: {
    name: 'STORE_SENTINELS',
    group: 'Store',
    meaning: '`host:port,...` of Redis Sentinels',
    reads: hostList,
  },
  storeSentinelMaster: {
    name: 'STORE_SENTINEL_MASTER',
    group: 'Store',
    meaning: 'name of the master that the sentinels watch',
    reads: anyText,
  },
  queuePrefix: {
    name: 'QUEUE_PREFIX',
    group: 'Queues and workers',
    meaning: 'prefix of every key of a queue',
    reads: prefix,
    default: 'bull',
  },
  queueCacheSize: {
    name: 'QUEUE_CACHE_SIZE',
    group: 'Queues and workers',
    meaning: 'queue instances kept at hand',
    reads: integer(1),
    default: '100',
  },
  maxJobsPerAdd: {
    name: 'MAX_JOBS_PER_ADD',
    group: 'Queues and workers',
    meaning: 'most jobs that one request may add',
    reads: integer(1),
    default: '10000',
  },
  eventsKept: {
    name: 'EVENTS_KEPT',
    group: 'Queues and workers',
    meaning: 'latest events that a new queue keeps, and a few more, for clients that come back',
    reads: integer(1),
    default: '10000',
  },
  minQueueNameLength: {
    name: 'MIN_QUEUE_NAME_LENGTH',
    group: 'Queues and workers',
    meaning: 'shortest queue name',
    reads: integer(1),
    default: '3',
  },
  maxQueueNameLength: {
    name: 'MAX_QUEUE_NAME_LENGTH',
    group: 'Queues and workers',
    meaning: 'longest queue name',
    reads: integer(1),
    default: '100',
  },
  workerMetadataKey: {
    name: 'WORKER_METADATA_KEY',
    group: 'Queues and workers',
    meaning: 'key of the registered workers',
    reads: key,
    default: 'jobgate:workers',
  },
  lockDuration: {
    name: 'LOCK_DURATION',
    group: 'Queues and workers',
    meaning: 'ms after which a job whose replica died counts as stalled',
    reads: time(1),
    default: '30000',
  },
  stalledInterval: {
    name: 'STALLED_INTERVAL',
    group: 'Queues and workers',
    meaning: 'ms between two checks for stalled jobs',
    reads: time(1),
    default: '30000',
  },
  webhookClient: {
    name: 'WEBHOOK_CLIENT',
    group: 'Calls to endpoints',
    meaning: '`undici` or `node-fetch`',
    reads: oneOf('undici', 'node-fetch'),
    default: 'undici',
  },
  defaultEndpointTimeout: {
    name: 'DEFAULT_ENDPOINT_TIMEOUT',
    group: 'Calls to endpoints',
    meaning: 'ms a call may take when its worker sets no timeout',
    reads: time(1),
    default: '600000',
  },
  publicUrl: {
    name: 'PUBLIC_URL',
    group: 'Calls to endpoints',
    meaning:
      'URL under which endpoints reach this service; calls then name that of their job in `Jobgate-Callback`',
    reads: publicUrl,
  },
  maxResponseSize: {
    name: 'MAX_RESPONSE_SIZE',
    group: 'Calls to endpoints',
    meaning: 'largest answer of an endpoint',
    reads: size,
    default: '1mb',
  },
  outboundPolicy: {
    name: 'OUTBOUND_POLICY',
    group: 'Calls to endpoints',
    meaning:
      '`public` refuses endpoints that are not on the internet; `any` refuses link-local ones',
    reads: oneOf('any', 'public'),
    default: 'any',
  },
  outboundAllow: {
    name: 'OUTBOUND_ALLOW',
    group: 'Calls to endpoints',
    meaning: 'networks and hosts that may be called all the same, such as `10.1.0.0/16,*.internal`',
    reads: outboundList,
  },
  outboundDeny: {
    name: 'OUTBOUND_DENY',
    group: 'Calls to endpoints',
    meaning: 'networks and hosts that must not be called, even if allowed',
    reads: outboundList,
  },
} as const satisfies Readonly<Record<string, Variable>>;

export const allVariables: readonly Variable[] = Object.values(variables);

/** The names of all variables. */
export const variableNames: readonly string[] = allVariables.map(({ name }) => name);
