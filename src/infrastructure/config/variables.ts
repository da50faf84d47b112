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
  postgresUri,
  retention,
  size,
  storeUri,
  textLike,
  time,
  tokenList,
  trueOrFalse,
  type Reader,
} from './readers.ts';
import { STORE_KINDS, type StoreKind } from './store-kinds.ts';

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
  /** The stores that use it; all, if absent. */
  readonly stores?: readonly StoreKind[];
}

export type VariableGroup = 'Service' | 'Store' | 'Queues and workers' | 'Calls to endpoints';

/** More processes than any machine has cores are probably a typo. */
const MAX_PROCESSES = 512;

/** PostgreSQL allows 100 connections in all, unless it is set otherwise. */
const MAX_POOL = 100;

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
    meaning: 'comma-separated API tokens; if there are no tokens at all, every request is refused',
    reads: tokenList,
    isSecret: true,
  },
  authTokensSha256: {
    name: 'AUTH_TOKENS_SHA256',
    group: 'Service',
    meaning:
      'comma-separated SHA-256 hashes (hex) of further API tokens, instead of the tokens themselves',
    reads: digestList,
  },
  accessTokensFile: {
    name: 'ACCESS_TOKENS_FILE',
    group: 'Service',
    meaning:
      'path to a JSON file of [tokens with rights](access.md#a-file-of-tokens), reloaded when it changes',
    reads: textLike(/./, 'be the path of a file'),
  },
  limitRequests: {
    name: 'LIMIT_REQUESTS',
    group: 'Service',
    meaning:
      'maximum requests per period in ms, such as `1000/60000`, for each token without [limits](access.md#limits) of its own',
    reads: limit,
  },
  limitJobs: {
    name: 'LIMIT_JOBS',
    group: 'Service',
    meaning: 'maximum jobs that each such token may add per period in ms, in the same form',
    reads: limit,
  },
  trustProxy: {
    name: 'TRUST_PROXY',
    group: 'Service',
    meaning:
      'comma-separated networks of trusted proxies, such as `10.0.0.0/8,127.0.0.1`, whose `X-Forwarded-For` and `X-Forwarded-Proto` headers are used',
    reads: networkList,
  },
  jwtIssuersFile: {
    name: 'JWT_ISSUERS_FILE',
    group: 'Service',
    meaning:
      'path to a JSON file of [issuers](access.md#tokens-of-workloads) whose JWTs are accepted',
    reads: file,
  },
  encryptionKeys: {
    name: 'ENCRYPTION_KEYS',
    group: 'Service',
    meaning:
      'keys for [secrets at rest](access.md#secrets-at-rest), such as `2026b:<base64 of 32 bytes>,2026a:…`; the first encrypts, all decrypt',
    reads: encryptionKeys,
    isSecret: true,
  },
  encryptionKeysFile: {
    name: 'ENCRYPTION_KEYS_FILE',
    group: 'Service',
    meaning: 'path to a file that contains these keys, instead of the variable',
    reads: encryptionKeysFile,
  },
  auditKept: {
    name: 'AUDIT_KEPT',
    group: 'Service',
    meaning: 'number of latest [audit](access.md#audit) entries to keep',
    reads: integer(1, 10_000_000),
    default: '100000',
  },
  dashboard: {
    name: 'DASHBOARD',
    group: 'Service',
    meaning:
      '`on`, `readonly` for [pages](dashboard.md) without actions, or `off` for no pages; `readonly` also refuses every change that a browser session requests',
    reads: oneOf('on', 'readonly', 'off'),
    default: 'on',
  },
  sqs: {
    name: 'SQS',
    group: 'Service',
    meaning: '`on` serves programs that speak [Amazon SQS](sqs.md), at `/sqs`',
    reads: oneOf('on', 'off'),
    default: 'off',
  },
  sqsBaseUrl: {
    name: 'SQS_BASE_URL',
    group: 'Service',
    meaning: 'URL at which these programs reach the service, for the URLs of queues',
    reads: publicUrl,
    otherwise: 'scheme and `Host` of each request',
  },
  port: {
    name: 'PORT',
    group: 'Service',
    meaning: 'port to listen on; 0 selects any free port',
    reads: integer(0, 65_535),
    default: '8080',
  },
  debug: {
    name: 'DEBUG',
    group: 'Service',
    meaning: '`true` also logs details, such as every request and every attempt',
    reads: trueOrFalse,
    default: 'false',
  },
  logFormat: {
    name: 'LOG_FORMAT',
    group: 'Service',
    meaning: 'format of the log: `json` or `pretty`',
    reads: oneOf('json', 'pretty'),
    otherwise: '`pretty` on a terminal, else `json`',
  },
  maxBodySize: {
    name: 'MAX_BODY_SIZE',
    group: 'Service',
    meaning: 'maximum size of a request body',
    reads: size,
    default: '10mb',
  },
  webConcurrency: {
    name: 'WEB_CONCURRENCY',
    group: 'Service',
    meaning:
      'number of processes that share the port, at most one per core; must be 1 with the embedded store and with `STORE=memory`',
    reads: integer(1, MAX_PROCESSES),
    default: '1',
  },
  maxConnections: {
    name: 'MAX_CONNECTIONS',
    group: 'Service',
    meaning:
      'maximum client connections per process; further connections are closed without an answer',
    reads: integer(1),
    default: '10000',
  },
  drainTime: {
    name: 'DRAIN_TIME',
    group: 'Service',
    meaning: 'time in ms during which requests are still served after SIGTERM',
    reads: time(0),
    default: '2000',
  },
  shutdownTimeout: {
    name: 'SHUTDOWN_TIMEOUT',
    group: 'Service',
    meaning: 'time in ms that running calls may take after SIGTERM, including `DRAIN_TIME`',
    reads: time(0),
    default: '30000',
  },
  metricsPort: {
    name: 'METRICS_PORT',
    group: 'Service',
    meaning:
      'port that serves only `GET /metrics`, without a token; not allowed if `WEB_CONCURRENCY` is above 1',
    reads: integer(0, 65_535),
  },
  metricsQueues: {
    name: 'METRICS_QUEUES',
    group: 'Service',
    meaning:
      'number of queues, the most active ones, that the metrics list by name; the others are combined as `other`',
    reads: integer(0, MAX_METRICS_QUEUES),
    default: '100',
  },
  traceEndpoint: {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    group: 'Service',
    meaning:
      'URL of an OpenTelemetry collector for [traces](traces.md), such as `http://localhost:4318`',
    reads: publicUrl,
  },
  traceAttempts: {
    name: 'OTEL_JOBGATE_TRACES',
    group: 'Service',
    meaning:
      '`link` gives each attempt a trace of its own, linked to the add; `parent` makes attempts child spans of the add',
    reads: oneOf('link', 'parent'),
    default: 'link',
  },
  sightQueues: {
    name: 'SIGHT_QUEUES',
    group: 'Service',
    meaning:
      'maximum queues, the first by name, that are considered for lists in any order but by name and for figures of all queues',
    reads: integer(1, MAX_SIGHT_QUEUES),
    default: '10000',
  },
  store: {
    name: 'STORE',
    group: 'Store',
    meaning:
      '`redis`; `postgres`; `embedded`, which keeps jobs in the folder STORE_PATH without a server; or `memory`, which keeps nothing',
    reads: oneOf(...STORE_KINDS),
    default: 'redis',
    otherwise: '[chosen](deployment.md#the-store)',
  },
  storePath: {
    name: 'STORE_PATH',
    group: 'Store',
    meaning: 'folder of the embedded store; one process at a time may use it',
    reads: anyText,
    default: './jobgate-data',
    stores: ['embedded'],
  },
  storeUri: {
    name: 'STORE_URI',
    group: 'Store',
    meaning:
      '`redis://user:password@host:port/database`, or `rediss://` for TLS, instead of the next four variables; for [PostgreSQL](postgresql.md), `postgres://user:password@host:port/database`',
    reads: storeUri,
    isSecret: true,
    stores: ['redis', 'postgres'],
  },
  storeHost: {
    name: 'STORE_HOST',
    group: 'Store',
    meaning: 'host of the store',
    reads: textLike(/^[^\s/@]+$/, 'be a host name or address'),
    default: 'localhost',
    stores: ['redis'],
  },
  storePort: {
    name: 'STORE_PORT',
    group: 'Store',
    meaning: 'port of the store',
    reads: integer(1, 65_535),
    default: '6379',
    stores: ['redis'],
  },
  storeUsername: {
    name: 'STORE_USERNAME',
    group: 'Store',
    meaning: 'user name for the store',
    reads: anyText,
    stores: ['redis'],
  },
  storePassword: {
    name: 'STORE_PASSWORD',
    group: 'Store',
    meaning: 'password for the store',
    reads: anyText,
    isSecret: true,
    stores: ['redis'],
  },
  storeTls: {
    name: 'STORE_TLS',
    group: 'Store',
    meaning: '`true` encrypts the connections to the store',
    reads: trueOrFalse,
    otherwise: 'from the URI and the files',
    stores: ['redis'],
  },
  storeTlsCa: {
    name: 'STORE_TLS_CA',
    group: 'Store',
    meaning: 'path to the certificate of the authority to trust',
    reads: file,
    stores: ['redis'],
  },
  storeTlsCert: {
    name: 'STORE_TLS_CERT',
    group: 'Store',
    meaning: 'path to the client certificate',
    reads: file,
    stores: ['redis'],
  },
  storeTlsKey: {
    name: 'STORE_TLS_KEY',
    group: 'Store',
    meaning: 'path to the private key of the client certificate',
    reads: file,
    stores: ['redis'],
  },
  storeClusterNodes: {
    name: 'STORE_CLUSTER_NODES',
    group: 'Store',
    meaning: 'nodes of a Redis Cluster, as `host:port,...`; requires `QUEUE_PREFIX={tag}`',
    reads: hostList,
    stores: ['redis'],
  },
  storeSentinels: {
    name: 'STORE_SENTINELS',
    group: 'Store',
    meaning: 'Redis Sentinels, as `host:port,...`',
    reads: hostList,
    stores: ['redis'],
  },
  storeSentinelMaster: {
    name: 'STORE_SENTINEL_MASTER',
    group: 'Store',
    meaning: 'name of the master that the Sentinels monitor',
    reads: anyText,
    stores: ['redis'],
  },
  storeDirectUri: {
    name: 'STORE_DIRECT_URI',
    group: 'Store',
    meaning:
      'the URI of the same PostgreSQL database without the pooler to which `STORE_URI` leads, for LISTEN',
    reads: postgresUri,
    otherwise: '`STORE_URI`',
    isSecret: true,
    stores: ['postgres'],
  },
  storeSchema: {
    name: 'STORE_SCHEMA',
    group: 'Store',
    meaning: 'PostgreSQL schema of the store',
    reads: textLike(
      /^(?!pg_|information_schema$)[a-z_][a-z0-9_]{0,62}$/,
      'be the name of a schema: at most 63 lower-case letters, digits and _, not beginning with a digit or pg_, and not information_schema',
    ),
    default: 'jobgate',
    stores: ['postgres'],
  },
  storePool: {
    name: 'STORE_POOL',
    group: 'Store',
    meaning: 'maximum PostgreSQL connections per process, besides one for LISTEN',
    reads: integer(2, MAX_POOL),
    default: '10',
    stores: ['postgres'],
  },
  queuePrefix: {
    name: 'QUEUE_PREFIX',
    group: 'Queues and workers',
    meaning: 'prefix of all keys of queues',
    reads: prefix,
    default: 'bull',
  },
  queueCacheSize: {
    name: 'QUEUE_CACHE_SIZE',
    group: 'Queues and workers',
    meaning: 'maximum queue instances to cache',
    reads: integer(1),
    default: '100',
  },
  maxJobsPerAdd: {
    name: 'MAX_JOBS_PER_ADD',
    group: 'Queues and workers',
    meaning: 'maximum jobs that one request may add',
    reads: integer(1),
    default: '10000',
  },
  defaultRetention: {
    name: 'DEFAULT_RETENTION',
    group: 'Queues and workers',
    meaning:
      '[which ended jobs may stay](jobs.md#retention) in queues whose policies say nothing of it, as JSON, such as `{"completed": {"age": 86400}, "failed": {"age": 604800, "count": 10000}}`',
    reads: retention,
    otherwise: 'all',
  },
  eventsKept: {
    name: 'EVENTS_KEPT',
    group: 'Queues and workers',
    meaning: 'minimum number of latest events that a new queue keeps for clients that reconnect',
    reads: integer(1),
    default: '10000',
  },
  minQueueNameLength: {
    name: 'MIN_QUEUE_NAME_LENGTH',
    group: 'Queues and workers',
    meaning:
      'minimum length of a queue name: the first job makes its queue, and a very short name is mostly a mistake',
    reads: integer(1),
    default: '3',
  },
  maxQueueNameLength: {
    name: 'MAX_QUEUE_NAME_LENGTH',
    group: 'Queues and workers',
    meaning: 'maximum length of a queue name',
    reads: integer(1),
    default: '100',
  },
  workerMetadataKey: {
    name: 'WORKER_METADATA_KEY',
    group: 'Queues and workers',
    meaning: 'key under which registered workers are stored',
    reads: key,
    default: 'jobgate:workers',
  },
  lockDuration: {
    name: 'LOCK_DURATION',
    group: 'Queues and workers',
    meaning: 'time in ms after which a job whose replica died counts as stalled',
    reads: time(1),
    default: '30000',
  },
  stalledInterval: {
    name: 'STALLED_INTERVAL',
    group: 'Queues and workers',
    meaning: 'interval in ms between checks for stalled jobs',
    reads: time(1),
    default: '30000',
  },
  webhookClient: {
    name: 'WEBHOOK_CLIENT',
    group: 'Calls to endpoints',
    meaning: 'HTTP client: `undici` or `node-fetch`',
    reads: oneOf('undici', 'node-fetch'),
    default: 'undici',
  },
  defaultEndpointTimeout: {
    name: 'DEFAULT_ENDPOINT_TIMEOUT',
    group: 'Calls to endpoints',
    meaning: 'maximum duration in ms of a call if its worker sets no timeout',
    reads: time(1),
    default: '600000',
  },
  publicUrl: {
    name: 'PUBLIC_URL',
    group: 'Calls to endpoints',
    meaning:
      'URL at which endpoints reach this service; each call then carries the URL of its job in `Jobgate-Callback`',
    reads: publicUrl,
  },
  maxResponseSize: {
    name: 'MAX_RESPONSE_SIZE',
    group: 'Calls to endpoints',
    meaning: 'maximum size of a response from an endpoint',
    reads: size,
    default: '1mb',
  },
  outboundPolicy: {
    name: 'OUTBOUND_POLICY',
    group: 'Calls to endpoints',
    meaning:
      '`public` refuses endpoints that are not on the internet; `any` refuses only link-local ones',
    reads: oneOf('any', 'public'),
    default: 'any',
  },
  outboundAllow: {
    name: 'OUTBOUND_ALLOW',
    group: 'Calls to endpoints',
    meaning:
      'networks and hosts that may be called despite the policy, such as `10.1.0.0/16,*.internal`',
    reads: outboundList,
  },
  outboundDeny: {
    name: 'OUTBOUND_DENY',
    group: 'Calls to endpoints',
    meaning: 'networks and hosts that must not be called, even if they are allowed',
    reads: outboundList,
  },
} as const satisfies Readonly<Record<string, Variable>>;

export const allVariables: readonly Variable[] = Object.values(variables);

/** The names of all variables. */
export const variableNames: readonly string[] = allVariables.map(({ name }) => name);
