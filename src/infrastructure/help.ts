import { version } from './version.ts';

/** Each variable with its default and its meaning, in the groups a reader looks for. */
const GROUPS: readonly (readonly [
  title: string,
  variables: readonly (readonly [name: string, meaning: string])[],
])[] = [
  [
    'Service',
    [
      ['AUTH_TOKENS', 'API tokens, separated by commas; without any, every request is refused'],
      ['PORT', 'port to listen on (8080)'],
      ['DEBUG', 'true logs details (false)'],
      ['LOG_FORMAT', 'json or pretty (pretty on a terminal, else json)'],
      ['MAX_BODY_SIZE', 'largest request body (10mb)'],
      ['MAX_CONNECTIONS', 'connections of clients to each process; more are refused (10000)'],
      ['WEB_CONCURRENCY', 'processes that serve behind the port, one per core at most (1)'],
      ['DRAIN_TIME', 'ms that requests are still served after SIGTERM (2000)'],
      ['SHUTDOWN_TIMEOUT', 'ms that running calls may take after SIGTERM, drain included (30000)'],
    ],
  ],
  [
    'Store',
    [
      ['STORE', 'redis, or memory for the embedded store (redis)'],
      ['STORE_URI', 'redis://user:password@host:port/database, in place of the four below'],
      ['STORE_HOST', 'host (localhost)'],
      ['STORE_PORT', 'port (6379)'],
      ['STORE_USERNAME', 'user name'],
      ['STORE_PASSWORD', 'password'],
      ['STORE_TLS', 'true encrypts the connections'],
      ['STORE_TLS_CA', 'file with the authority to trust'],
      ['STORE_TLS_CERT', 'file with the client certificate'],
      ['STORE_TLS_KEY', 'file with the key of the client certificate'],
      ['STORE_CLUSTER_NODES', 'host:port,... of a Redis Cluster; needs QUEUE_PREFIX={tag}'],
      ['STORE_SENTINELS', 'host:port,... of Redis Sentinels'],
      ['STORE_SENTINEL_MASTER', 'name of the master that the sentinels watch'],
    ],
  ],
  [
    'Queues and workers',
    [
      ['QUEUE_PREFIX', 'prefix of every key of a queue (bull)'],
      ['QUEUE_CACHE_SIZE', 'queue instances kept at hand (100)'],
      ['MAX_JOBS_PER_ADD', 'most jobs that one request may add (10000)'],
      ['MIN_QUEUE_NAME_LENGTH', 'shortest queue name (3)'],
      ['MAX_QUEUE_NAME_LENGTH', 'longest queue name (100)'],
      ['WORKER_METADATA_KEY', 'key of the registered workers (jobgate:workers)'],
      ['LOCK_DURATION', 'ms after which a job whose replica died counts as stalled (30000)'],
      ['STALLED_INTERVAL', 'ms between two checks for stalled jobs (30000)'],
    ],
  ],
  [
    'Calls to endpoints',
    [
      ['WEBHOOK_CLIENT', 'undici or node-fetch (undici)'],
      ['DEFAULT_ENDPOINT_TIMEOUT', 'ms a call may take when its worker sets no timeout (600000)'],
      ['MAX_RESPONSE_SIZE', 'largest answer of an endpoint (1mb)'],
    ],
  ],
];

/** The names of all variables. */
export function variableNames(): readonly string[] {
  return GROUPS.flatMap(([, variables]) => variables.map(([name]) => name));
}

/** What `--help` prints. */
export function helpText(): string {
  const groups = GROUPS.map(([title, variables]) => {
    const lines = variables.map(([name, meaning]) => `  ${name.padEnd(26)}${meaning}`);
    return `${title}\n${lines.join('\n')}\n`;
  });
  return `jobgate ${version()}: an HTTP gateway to job queues

Usage: jobgate [--help | --version]

It serves until SIGTERM. Everything is set by environment variables; defaults in parentheses.

${groups.join('\n')}`;
}
