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
  /** A heading of `--help`. */
  readonly group: string;
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

/** The rows of a group of variables, by their names. */
function inGroup<const Rows extends Readonly<Record<string, Omit<Variable, 'name' | 'group'>>>>(
  group: string,
  rows: Rows,
) {
  const named = Object.entries(rows).map(([name, row]) => [name, { ...row, name, group }]);
  return Object.fromEntries(named) as {
    readonly [Name in keyof Rows]: Rows[Name] & { name: Name; group: string };
  };
}

/** Every environment variable, in the order in which a reader looks for them. */
export const variables = {
  ...inGroup('Service', {
    AUTH_TOKENS: {
      meaning:
        'comma-separated API tokens; if there are no tokens at all, every request is refused',
      reads: tokenList,
      isSecret: true,
    },
    AUTH_TOKENS_SHA256: {
      meaning:
        'comma-separated SHA-256 hashes (hex) of further API tokens, instead of the tokens themselves',
      reads: digestList,
    },
    ACCESS_TOKENS_FILE: {
      meaning:
        'path to a JSON file of [tokens with rights](access.md#a-file-of-tokens), reloaded when it changes',
      reads: textLike(/./, 'be the path of a file'),
    },
    LIMIT_REQUESTS: {
      meaning:
        'maximum requests per period in ms, such as `1000/60000`, for each token without [limits](access.md#limits) of its own',
      reads: limit,
    },
    LIMIT_JOBS: {
      meaning: 'maximum jobs that each such token may add per period in ms, in the same form',
      reads: limit,
    },
    TRUST_PROXY: {
      meaning:
        'comma-separated networks of trusted proxies, such as `10.0.0.0/8,127.0.0.1`, whose `X-Forwarded-For` and `X-Forwarded-Proto` headers are used',
      reads: networkList,
    },
    JWT_ISSUERS_FILE: {
      meaning:
        'path to a JSON file of [issuers](access.md#tokens-of-workloads) whose JWTs are accepted',
      reads: file,
    },
    SIGN_IN_FILE: {
      meaning:
        'path to a JSON file that says how [people sign in](access.md#people-who-sign-in) to the dashboard; needs `PUBLIC_URL`',
      reads: anyText,
    },
    ENCRYPTION_KEYS: {
      meaning:
        'keys for [secrets at rest](access.md#secrets-at-rest), such as `2026b:<base64 of 32 bytes>,2026a:…`; the first encrypts, all decrypt',
      reads: encryptionKeys,
      isSecret: true,
    },
    ENCRYPTION_KEYS_FILE: {
      meaning: 'path to a file that contains these keys, instead of the variable',
      reads: encryptionKeysFile,
    },
    AUDIT_KEPT: {
      meaning: 'number of latest [audit](access.md#audit) entries to keep',
      reads: integer(1, 10_000_000),
      default: '100000',
    },
    DASHBOARD: {
      meaning:
        '`on`, `readonly` for [pages](dashboard.md) without actions, or `off` for no pages; `readonly` also refuses every change that a browser session requests',
      reads: oneOf('on', 'readonly', 'off'),
      default: 'on',
    },
    SQS: {
      meaning: '`on` serves programs that speak [Amazon SQS](sqs.md), at `/sqs`',
      reads: oneOf('on', 'off'),
      default: 'off',
    },
    QSTASH: {
      meaning: '`on` serves programs that speak [Upstash QStash](qstash.md), at `/v2`',
      reads: oneOf('on', 'off'),
      default: 'off',
    },
    QSTASH_CURRENT_SIGNING_KEY: {
      meaning: 'key that signs the messages of these programs, which receivers know',
      reads: anyText,
      otherwise: 'drawn once, and kept in the store',
      isSecret: true,
    },
    QSTASH_NEXT_SIGNING_KEY: {
      meaning: 'key that will sign them next, which receivers know too',
      reads: anyText,
      otherwise: 'drawn once, and kept in the store',
      isSecret: true,
    },
    SQS_BASE_URL: {
      meaning: 'URL at which these programs reach the service, for the URLs of queues',
      reads: publicUrl,
      otherwise: 'scheme and `Host` of each request',
    },
    PORT: {
      meaning: 'port to listen on; 0 selects any free port',
      reads: integer(0, 65_535),
      default: '8080',
    },
    DEBUG: {
      meaning: '`true` also logs details, such as every request and every attempt',
      reads: trueOrFalse,
      default: 'false',
    },
    LOG_FORMAT: {
      meaning: 'format of the log: `json` or `pretty`',
      reads: oneOf('json', 'pretty'),
      otherwise: '`pretty` on a terminal, else `json`',
    },
    MAX_BODY_SIZE: {
      meaning: 'maximum size of a request body',
      reads: size,
      default: '10mb',
    },
    WEB_CONCURRENCY: {
      meaning:
        'number of processes that share the port, at most one per core; must be 1 with the embedded store and with `STORE=memory`',
      reads: integer(1, MAX_PROCESSES),
      default: '1',
    },
    MAX_CONNECTIONS: {
      meaning:
        'maximum client connections per process; further connections are closed without an answer',
      reads: integer(1),
      default: '10000',
    },
    DRAIN_TIME: {
      meaning: 'time in ms during which requests are still served after SIGTERM',
      reads: time(0),
      default: '2000',
    },
    SHUTDOWN_TIMEOUT: {
      meaning: 'time in ms that running calls may take after SIGTERM, including `DRAIN_TIME`',
      reads: time(0),
      default: '30000',
    },
    METRICS_PORT: {
      meaning:
        'port that serves only `GET /metrics`, without a token; not allowed if `WEB_CONCURRENCY` is above 1',
      reads: integer(0, 65_535),
    },
    METRICS_QUEUES: {
      meaning:
        'number of queues, the most active ones, that the metrics list by name; the others are combined as `other`',
      reads: integer(0, MAX_METRICS_QUEUES),
      default: '100',
    },
    OTEL_EXPORTER_OTLP_ENDPOINT: {
      meaning:
        'URL of an OpenTelemetry collector for [traces](traces.md), such as `http://localhost:4318`',
      reads: publicUrl,
    },
    OTEL_JOBGATE_TRACES: {
      meaning:
        '`link` gives each attempt a trace of its own, linked to the add; `parent` makes attempts child spans of the add',
      reads: oneOf('link', 'parent'),
      default: 'link',
    },
    SIGHT_QUEUES: {
      meaning:
        'maximum queues, the first by name, that are considered for lists in any order but by name and for figures of all queues',
      reads: integer(1, MAX_SIGHT_QUEUES),
      default: '10000',
    },
  }),
  ...inGroup('Store', {
    STORE: {
      meaning:
        '`redis`; `postgres`; `embedded`, which keeps jobs in the folder STORE_PATH without a server; or `memory`, which keeps nothing',
      reads: oneOf(...STORE_KINDS),
      default: 'redis',
      otherwise: '[chosen](deployment.md#the-store)',
    },
    STORE_PATH: {
      meaning: 'folder of the embedded store; one process at a time may use it',
      reads: anyText,
      default: './jobgate-data',
      stores: ['embedded'],
    },
    STORE_URI: {
      meaning:
        '`redis://user:password@host:port/database`, or `rediss://` for TLS, instead of the next four variables; for [PostgreSQL](postgresql.md), `postgres://user:password@host:port/database`',
      reads: storeUri,
      isSecret: true,
      stores: ['redis', 'postgres'],
    },
    STORE_HOST: {
      meaning: 'host of the store',
      reads: textLike(/^[^\s/@]+$/, 'be a host name or address'),
      default: 'localhost',
      stores: ['redis'],
    },
    STORE_PORT: {
      meaning: 'port of the store',
      reads: integer(1, 65_535),
      default: '6379',
      stores: ['redis'],
    },
    STORE_USERNAME: {
      meaning: 'user name for the store',
      reads: anyText,
      stores: ['redis'],
    },
    STORE_PASSWORD: {
      meaning: 'password for the store',
      reads: anyText,
      isSecret: true,
      stores: ['redis'],
    },
    STORE_TLS: {
      meaning: '`true` encrypts the connections to the store',
      reads: trueOrFalse,
      otherwise: 'from the URI and the files',
      stores: ['redis'],
    },
    STORE_TLS_CA: {
      meaning: 'path to the certificate of the authority to trust',
      reads: file,
      stores: ['redis'],
    },
    STORE_TLS_CERT: {
      meaning: 'path to the client certificate',
      reads: file,
      stores: ['redis'],
    },
    STORE_TLS_KEY: {
      meaning: 'path to the private key of the client certificate',
      reads: file,
      stores: ['redis'],
    },
    STORE_CLUSTER_NODES: {
      meaning: 'nodes of a Redis Cluster, as `host:port,...`; requires `QUEUE_PREFIX={tag}`',
      reads: hostList,
      stores: ['redis'],
    },
    STORE_SENTINELS: {
      meaning: 'Redis Sentinels, as `host:port,...`',
      reads: hostList,
      stores: ['redis'],
    },
    STORE_SENTINEL_MASTER: {
      meaning: 'name of the master that the Sentinels monitor',
      reads: anyText,
      stores: ['redis'],
    },
    STORE_DIRECT_URI: {
      meaning:
        'the URI of the same PostgreSQL database without the pooler to which `STORE_URI` leads, for LISTEN',
      reads: postgresUri,
      otherwise: '`STORE_URI`',
      isSecret: true,
      stores: ['postgres'],
    },
    STORE_SCHEMA: {
      meaning: 'PostgreSQL schema of the store',
      reads: textLike(
        /^(?!pg_|information_schema$)[a-z_][a-z0-9_]{0,62}$/,
        'be the name of a schema: at most 63 lower-case letters, digits and _, not beginning with a digit or pg_, and not information_schema',
      ),
      default: 'jobgate',
      stores: ['postgres'],
    },
    STORE_POOL: {
      meaning: 'maximum PostgreSQL connections per process, besides one for LISTEN',
      reads: integer(2, MAX_POOL),
      default: '10',
      stores: ['postgres'],
    },
  }),
  ...inGroup('Queues and workers', {
    QUEUE_PREFIX: {
      meaning: 'prefix of all keys of queues',
      reads: prefix,
      default: 'bull',
    },
    QUEUE_CACHE_SIZE: {
      meaning: 'maximum queue instances to cache',
      reads: integer(1),
      default: '100',
    },
    MAX_JOBS_PER_ADD: {
      meaning: 'maximum jobs that one request may add',
      reads: integer(1),
      default: '10000',
    },
    DEFAULT_RETENTION: {
      meaning:
        '[which ended jobs may stay](jobs.md#retention) in queues whose policies say nothing of it, as JSON, such as `{"completed": {"age": 86400}, "failed": {"age": 604800, "count": 10000}}`',
      reads: retention,
      otherwise: 'all',
    },
    EVENTS_KEPT: {
      meaning: 'minimum number of latest events that a new queue keeps for clients that reconnect',
      reads: integer(1),
      default: '10000',
    },
    MIN_QUEUE_NAME_LENGTH: {
      meaning:
        'minimum length of a queue name: the first job makes its queue, and a very short name is mostly a mistake',
      reads: integer(1),
      default: '3',
    },
    MAX_QUEUE_NAME_LENGTH: {
      meaning: 'maximum length of a queue name',
      reads: integer(1),
      default: '100',
    },
    WORKER_METADATA_KEY: {
      meaning: 'key under which registered workers are stored',
      reads: key,
      default: 'jobgate:workers',
    },
    LOCK_DURATION: {
      meaning: 'time in ms after which a job whose replica died counts as stalled',
      reads: time(1),
      default: '30000',
    },
    STALLED_INTERVAL: {
      meaning: 'interval in ms between checks for stalled jobs',
      reads: time(1),
      default: '30000',
    },
  }),
  ...inGroup('Calls to endpoints', {
    WEBHOOK_CLIENT: {
      meaning: 'HTTP client: `undici` or `node-fetch`',
      reads: oneOf('undici', 'node-fetch'),
      default: 'undici',
    },
    DEFAULT_ENDPOINT_TIMEOUT: {
      meaning: 'maximum duration in ms of a call if its worker sets no timeout',
      reads: time(1),
      default: '600000',
    },
    PUBLIC_URL: {
      meaning:
        'URL at which endpoints and people reach this service; each call then carries the URL of its job in `Jobgate-Callback`',
      reads: publicUrl,
    },
    MAX_RESPONSE_SIZE: {
      meaning: 'maximum size of a response from an endpoint',
      reads: size,
      default: '1mb',
    },
    OUTBOUND_POLICY: {
      meaning:
        '`public` refuses endpoints that are not on the internet; `any` refuses only link-local ones',
      reads: oneOf('any', 'public'),
      default: 'any',
    },
    OUTBOUND_ALLOW: {
      meaning:
        'networks and hosts that may be called despite the policy, such as `10.1.0.0/16,*.internal`',
      reads: outboundList,
    },
    OUTBOUND_DENY: {
      meaning: 'networks and hosts that must not be called, even if they are allowed',
      reads: outboundList,
    },
  }),
};

export const allVariables: readonly Variable[] = Object.values(variables);

/** The names of all variables. */
export const variableNames: readonly string[] = allVariables.map(({ name }) => name);
