import { expect } from 'chai';
import { ConfigError } from '../../../src/infrastructure/config/config-error.ts';
import type { Config } from '../../../src/infrastructure/config/config.ts';
import { encryptionKey, encryptionKeysText } from '../../support/encryption-key.ts';
import { loadConfig } from '../../../src/infrastructure/config/load-config.ts';

type Environment = Readonly<Record<string, string>>;

const KEY_LIST = [encryptionKey('2026b'), encryptionKey('2026a')];
const KEYS = encryptionKeysText(...KEY_LIST);

const FILES: Environment = {
  '/ca.pem': 'CA',
  '/cert.pem': 'CERT',
  '/key.pem': 'KEY',
  '/keys': `${KEYS.replace(',', '\n')}\n`,
};

function readFile(path: string): string {
  const content = FILES[path];
  if (content === undefined) throw new Error(`ENOENT ${path}`);
  return content;
}

function load(environment: Environment = {}, isTerminal = false): Config {
  return loadConfig(environment, { readFile, isTerminal });
}

function problems(environment: Environment): readonly string[] {
  try {
    load(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  throw new Error('Expected a ConfigError');
}

describe('loadConfig', () => {
  // holds: variables.defaults, states.stalled-interval, limits.stalled, names.defaults
  it('has a default for everything', () => {
    expect(load()).to.deep.equal({
      http: { port: 8080, maxBodySize: 10_485_760, maxConnections: 10_000, drainTime: 2000 },
      auth: { tokens: [], digests: [], proxies: [], issuers: [], limits: {} },
      dashboard: 'on',
      store: { kind: 'redis', topology: { kind: 'single', host: 'localhost', port: 6379 } },
      queues: {
        prefix: 'bull',
        cacheSize: 100,
        nameLimits: { min: 3, max: 100 },
        maxJobsPerAdd: 10_000,
        eventsKept: 10_000,
      },
      workers: {
        metadataKey: 'jobgate:workers',
        lockDuration: 30_000,
        stalledInterval: 30_000,
        encryptionKeys: [],
      },
      webhook: {
        client: 'undici',
        defaultTimeout: 600_000,
        maxResponseSize: 1_048_576,
        outbound: { policy: 'any', allow: [], deny: [] },
      },
      qstash: { isServed: false },
      metrics: { queues: 100 },
      audit: { kept: 100_000 },
      sight: { queues: 10_000 },
      log: { level: 'info', format: 'json' },
      processes: 1,
      shutdownTimeout: 30_000,
    });
  });

  // holds: sqs.off, sqs.base-url
  it('serves Amazon SQS where it is turned on, at the URL that it is told', () => {
    expect(load({ SQS: 'off', SQS_BASE_URL: 'https://jobs.example.com' })).not.to.have.property(
      'sqs',
    );
    expect(load({ SQS: 'on' }).sqs).to.deep.equal({});
    const { sqs } = load({ SQS: 'on', SQS_BASE_URL: 'https://jobs.example.com/' });
    expect(sqs).to.deep.equal({ baseUrl: 'https://jobs.example.com' });
    expect(problems({ SQS: 'yes' })).to.have.lengthOf(1);
    expect(problems({ SQS: 'on', SQS_BASE_URL: 'jobs' })).to.have.lengthOf(1);
  });

  it('treats an empty variable as unset', () => {
    const names = ['PORT', 'STORE', 'STORE_URI', 'AUTH_TOKENS', 'QUEUE_PREFIX', 'STORE_TLS_CA'];
    const more = ['DEBUG', 'LOG_FORMAT', 'MAX_BODY_SIZE', 'STORE_SENTINELS', 'STORE_CLUSTER_NODES'];
    const environment = Object.fromEntries([...names, ...more].map((name) => [name, '']));
    expect(load(environment)).to.deep.equal(load());
  });

  it('is deeply frozen', () => {
    const config = load({ AUTH_TOKENS: 'a,b', STORE_SENTINELS: 'h:1', STORE_SENTINEL_MASTER: 'm' });
    const parts = [config, config.http, config.auth.tokens, config.store, config.queues.nameLimits];
    for (const part of parts) expect(Object.isFrozen(part)).to.equal(true);
  });

  const values: readonly (readonly [
    variable: string,
    value: string,
    (config: Config) => unknown,
    expected: unknown,
  ])[] = [
    ['PORT', '0', ({ http }) => http.port, 0],
    ['PORT', '65535', ({ http }) => http.port, 65_535],
    ['MAX_BODY_SIZE', '2048', ({ http }) => http.maxBodySize, 2048],
    ['MAX_BODY_SIZE', '5kb', ({ http }) => http.maxBodySize, 5120],
    ['MAX_BODY_SIZE', '2MB', ({ http }) => http.maxBodySize, 2_097_152],
    // holds: settings.max-connections
    ['MAX_CONNECTIONS', '1', ({ http }) => http.maxConnections, 1],
    // holds: tokens.trimmed
    [
      'AUTH_TOKENS_SHA256',
      ` ${'AB'.repeat(32)}, ${'0'.repeat(64)} ,`,
      ({ auth }) => auth.digests,
      ['ab'.repeat(32), '0'.repeat(64)],
    ],
    ['AUTH_TOKENS', ' a, b ,,c,', ({ auth }) => auth.tokens, ['a', 'b', 'c']],
    ['AUTH_TOKENS', ' , ', ({ auth }) => auth.tokens, []],
    // holds: dashboard.modes
    ['DASHBOARD', 'readonly', ({ dashboard }) => dashboard, 'readonly'],
    ['DASHBOARD', 'off', ({ dashboard }) => dashboard, 'off'],
    ['QUEUE_PREFIX', 'jobs', ({ queues }) => queues.prefix, 'jobs'],
    ['QUEUE_PREFIX', '{jobs}', ({ queues }) => queues.prefix, '{jobs}'],
    // holds: settings.max-jobs-per-add
    ['MAX_JOBS_PER_ADD', '1', ({ queues }) => queues.maxJobsPerAdd, 1],
    ['EVENTS_KEPT', '1', ({ queues }) => queues.eventsKept, 1],
    ['QUEUE_CACHE_SIZE', '1', ({ queues }) => queues.cacheSize, 1],
    ['MIN_QUEUE_NAME_LENGTH', '100', ({ queues }) => queues.nameLimits.min, 100],
    ['MAX_QUEUE_NAME_LENGTH', '3', ({ queues }) => queues.nameLimits.max, 3],
    ['WORKER_METADATA_KEY', 'hooks', ({ workers }) => workers.metadataKey, 'hooks'],
    ['LOCK_DURATION', '1000', ({ workers }) => workers.lockDuration, 1000],
    ['STALLED_INTERVAL', '1000', ({ workers }) => workers.stalledInterval, 1000],
    // holds: secrets-at-rest.encrypted
    ['ENCRYPTION_KEYS', KEYS, ({ workers }) => workers.encryptionKeys, KEY_LIST],
    // holds: secrets-at-rest.encrypted
    ['ENCRYPTION_KEYS_FILE', '/keys', ({ workers }) => workers.encryptionKeys, KEY_LIST],
    // holds: settings.webhook-client
    ['WEBHOOK_CLIENT', 'node-fetch', ({ webhook }) => webhook.client, 'node-fetch'],
    ['DEFAULT_ENDPOINT_TIMEOUT', '1', ({ webhook }) => webhook.defaultTimeout, 1],
    // holds: deferred.callback
    [
      'PUBLIC_URL',
      'https://Jobs.example.com/a//',
      ({ webhook }) => webhook.publicUrl,
      'https://jobs.example.com/a',
    ],
    ['MAX_RESPONSE_SIZE', '1', ({ webhook }) => webhook.maxResponseSize, 1],
    // holds: guard.lists
    ['OUTBOUND_POLICY', 'public', ({ webhook }) => webhook.outbound.policy, 'public'],
    [
      'OUTBOUND_ALLOW',
      '10.0.0.0/8, ::1,,fd00::/8,127.0.0.1,*.Example.com,*',
      ({ webhook }) => webhook.outbound.allow,
      ['10.0.0.0/8', '::1', 'fd00::/8', '127.0.0.1', '*.Example.com', '*'],
    ],
    ['OUTBOUND_DENY', 'exämple.com', ({ webhook }) => webhook.outbound.deny, ['exämple.com']],
    ['DEBUG', 'true', ({ log }) => log.level, 'debug'],
    ['DEBUG', '1', ({ log }) => log.level, 'debug'],
    ['DEBUG', 'FALSE', ({ log }) => log.level, 'info'],
    // holds: settings.webhook-client
    ['LOG_FORMAT', 'pretty', ({ log }) => log.format, 'pretty'],
    // holds: settings.drain-time
    ['DRAIN_TIME', '0', ({ http }) => http.drainTime, 0],
    ['SHUTDOWN_TIMEOUT', '0', ({ shutdownTimeout }) => shutdownTimeout, 0],
    // holds: settings.metrics-port
    ['METRICS_PORT', '9090', ({ metrics }) => metrics.port, 9090],
    // holds: settings.metrics-queues
    ['METRICS_QUEUES', '0', ({ metrics }) => metrics.queues, 0],
    // holds: settings.sight-queues
    ['SIGHT_QUEUES', '50', ({ sight }) => sight.queues, 50],
    ['WEB_CONCURRENCY', '4', ({ processes }) => processes, 4],
    // holds: settings.store
    ['STORE', 'memory', ({ store }) => store, { kind: 'memory' }],
    // holds: settings.store
    ['STORE', 'redis', ({ store }) => store.kind, 'redis'],
  ];
  for (const [variable, value, part, expected] of values) {
    it(`accepts ${variable}=${value}`, () => {
      expect(part(load({ [variable]: value }))).to.deep.equal(expected);
    });
  }

  it('accepts a WORKER_METADATA_KEY that only looks like a key of a queue', () => {
    for (const key of ['jobgate:workers', 'jobgate', 'jobgates:a:b']) {
      const { workers } = load({ QUEUE_PREFIX: 'jobgate', WORKER_METADATA_KEY: key });
      expect(workers.metadataKey).to.equal(key);
    }
  });

  it('chooses the log format a terminal can show, unless a variable sets one', () => {
    expect(load({}, true).log.format).to.equal('pretty');
    expect(load({ LOG_FORMAT: 'json' }, true).log.format).to.equal('json');
  });

  const mistakes: readonly (readonly [
    variable: string,
    values: readonly string[],
    must: RegExp,
  ])[] = [
    ['PORT', ['-1', '65536', '80.5', '8o8o', ' 80', '0x50'], /be an integer from 0 to 65535$/],
    ['MAX_BODY_SIZE', ['0', '-1', '1gb', '1.5mb', 'big', '257mb'], /be a size of at least 1 byte/],
    ['MAX_CONNECTIONS', ['0', '-1', 'all', '1e4'], /be an integer from 1/],
    [
      'PUBLIC_URL',
      [
        'jobs.example.com',
        'ftp://a.example',
        'http://u@a.example',
        'http://a.example/?',
        'http://a/#b',
      ],
      /be an http or https URL without user name, password, query and fragment/,
    ],
    ['MAX_RESPONSE_SIZE', ['0', 'kb'], /be a size of at least 1 byte/],
    ['AUTH_TOKENS', ['a b', 'a,b\tc'], /contain no token with whitespace in it$/],
    // holds: bounds.queue-prefix
    [
      'QUEUE_PREFIX',
      ['a{b}', '{a', 'a}', '{}', '{a}{b}', '{a}b', 'a\u0007', 'a:b', '{a:b}'],
      /be text without/,
    ],
    ['MAX_JOBS_PER_ADD', ['0', '-1', 'all'], /be an integer from 1/],
    ['QUEUE_CACHE_SIZE', ['0', 'many'], /be an integer from 1/],
    // holds: retention.default
    ['DEFAULT_RETENTION', ['{', '7'], /^DEFAULT_RETENTION must be JSON such as /],
    ['DEFAULT_RETENTION', ['{"completed": {"age": -1}}'], /: retention\.completed\.age must be an/],
    ['DEFAULT_RETENTION', ['{"done": {}}'], /: retention\.done is unknown$/],
    ['MIN_QUEUE_NAME_LENGTH', ['0', '-3'], /be an integer from 1/],
    ['MIN_QUEUE_NAME_LENGTH', ['101'], /not exceed MAX_QUEUE_NAME_LENGTH$/],
    ['MAX_QUEUE_NAME_LENGTH', ['0', 'x'], /be an integer from 1/],
    ['WORKER_METADATA_KEY', ['a\nb'], /be text without control characters$/],
    [
      'WORKER_METADATA_KEY',
      ['bull:mail:meta', 'bull:mail:', 'bull::x'],
      /not have the form of the/,
    ],
    ['LOCK_DURATION', ['0', '2147483648', '30s'], /be an integer from 1 to 2147483647$/],
    ['STALLED_INTERVAL', ['0', '1e3'], /be an integer from 1 to 2147483647$/],
    [
      'ENCRYPTION_KEYS',
      [',', 'a', 'a:c2hvcnQ=', `none:${KEYS.slice(6)}`, `${KEYS},${KEYS}`, `a b:${KEYS}`],
      /be keys such as 2026b:<base64 of 32 bytes>/,
    ],
    ['ENCRYPTION_KEYS_FILE', ['/none', '/ca.pem'], /be the path of a file that holds keys/],
    ['WEBHOOK_CLIENT', ['fetch', 'UNDICI'], /be undici or node-fetch$/],
    ['DEFAULT_ENDPOINT_TIMEOUT', ['0', '-5'], /be an integer from 1 to 2147483647$/],
    ['OUTBOUND_POLICY', ['private', 'Public'], /be any or public$/],
    ['OUTBOUND_ALLOW', ['10.0.0.0/8,10.0.0.0/33'], /: "10\.0\.0\.0\/33" is neither a network nor/],
    [
      'OUTBOUND_DENY',
      [
        '10.0.0/8',
        '10.0.0.0/',
        '010.0.0.1',
        '0x7f.1',
        '2130706433',
        'fe80::1%eth0',
        '[::1]',
        '::/129',
        '10.*',
        'host:80',
        'http://host',
        'user@host',
        'a b',
        'a..b',
        '*.*',
      ],
      /is neither a network nor a host$/,
    ],
    ['DEBUG', ['yes', 'bullmq:*'], /be true, false, 1 or 0$/],
    ['LOG_FORMAT', ['xml'], /be json or pretty$/],
    ['DRAIN_TIME', ['-1', '2s'], /be an integer from 0 to 2147483647$/],
    ['SHUTDOWN_TIMEOUT', ['-1', 'never'], /be an integer from 0 to 2147483647$/],
    ['METRICS_PORT', ['-1', '65536', 'x'], /be an integer from 0 to 65535$/],
    ['METRICS_PORT', ['8080'], /differ from PORT$/],
    ['METRICS_QUEUES', ['-1', '10001'], /be an integer from 0 to 10000$/],
    ['SIGHT_QUEUES', ['0', '1000001', 'all'], /be an integer from 1 to 1000000$/],
    ['WEB_CONCURRENCY', ['0', '1.5', 'all'], /be an integer from 1 to 512$/],
    ['STORE', ['mongo'], /be redis, postgres, embedded or memory$/],
  ];
  for (const [variable, wrong, must] of mistakes) {
    for (const value of wrong) {
      // holds: settings.checked
      it(`refuses ${variable}=${JSON.stringify(value)}`, () => {
        const [problem = '', ...others] = problems({ [variable]: value });
        expect(others).to.deep.equal([]);
        expect(problem)
          .to.match(new RegExp(`^${variable} must `))
          .and.to.match(must);
      });
    }
  }

  it('accepts keys from only one source', () => {
    expect(problems({ ENCRYPTION_KEYS: KEYS, ENCRYPTION_KEYS_FILE: '/keys' })).to.deep.equal([
      'ENCRYPTION_KEYS_FILE must not be given together with ENCRYPTION_KEYS',
    ]);
  });

  // holds: sign-in.start
  it('refuses SIGN_IN_FILE without the URL at which people come back', () => {
    const environment = { SIGN_IN_FILE: '/sign-in.json' };
    expect(problems(environment)).to.deep.equal([
      'PUBLIC_URL must be given together with SIGN_IN_FILE',
    ]);
    const { auth } = load({ ...environment, PUBLIC_URL: 'https://jobs.example' });
    expect(auth.signInFile).to.equal('/sign-in.json');
  });

  // holds: settings.metrics-port
  it('refuses METRICS_PORT for several processes, each of which has metrics of its own', () => {
    expect(problems({ METRICS_PORT: '9090', WEB_CONCURRENCY: '2' })).to.deep.equal([
      'METRICS_PORT must not be given with WEB_CONCURRENCY above 1: each process has metrics of its own',
    ]);
    expect(load({ METRICS_PORT: '9090', WEB_CONCURRENCY: '1' }).metrics.port).to.equal(9090);
  });

  it('reports all mistakes at once', () => {
    const environment = { PORT: 'x', DEBUG: 'x', STORE_PORT: 'x', STORE_TLS_CA: '/none' };
    const names = problems(environment).map((problem) => problem.split(' ')[0]);
    expect(names).to.have.members(Object.keys(environment));
    expect(() => load(environment)).to.throw(ConfigError, /^The configuration is not valid:\n {2}/);
  });
});
