import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { configDoubts, PATH_OF_IMAGE } from '../../../src/infrastructure/config/config-doubts.ts';
import { STORE_KINDS, type StoreKind } from '../../../src/infrastructure/config/store-kinds.ts';
import { allVariables } from '../../../src/infrastructure/config/variables.ts';

type Environment = Readonly<Record<string, string>>;

function doubts(environment: Environment, processes = 1, cores = 2): readonly string[] {
  return configDoubts(environment, { processes, cores, store: 'redis' }).map(
    ({ message }) => message,
  );
}

/** The doubts about variables that the chosen store may not use. */
function unused(store: StoreKind, environment: Environment): readonly string[] {
  return configDoubts(environment, { processes: 1, cores: 1, store }).map(({ message }) => message);
}

/** The variables that Kubernetes sets in every pod for a service. */
function serviceLinks(service: string): Environment {
  const address = 'tcp://10.96.0.7:6379';
  return {
    [`${service}_SERVICE_HOST`]: '10.96.0.7',
    [`${service}_SERVICE_PORT`]: '6379',
    [`${service}_SERVICE_PORT_HTTP`]: '6379',
    [`${service}_PORT`]: address,
    [`${service}_PORT_6379_TCP`]: address,
    [`${service}_PORT_6379_TCP_PROTO`]: 'tcp',
    [`${service}_PORT_6379_TCP_PORT`]: '6379',
    [`${service}_PORT_6379_TCP_ADDR`]: '10.96.0.7',
  };
}

describe('configDoubts', () => {
  for (const [variable, meant] of [
    ['AUTH_TOKEN', 'AUTH_TOKENS'],
    ['API_TOKENS', undefined],
    ['JOBGATE_AUTH_TOKENS', 'AUTH_TOKENS'],
    ['JOBGATE_DEBUG', 'DEBUG'],
    ['auth_tokens', 'AUTH_TOKENS'],
    ['STORE_URL', 'STORE_URI'],
    ['REDIS_URL', 'STORE_URI'],
    ['POSTGRES_URL', 'STORE_URI'],
    ['STORE_DIRECT_URL', 'STORE_DIRECT_URI'],
    ['STORE_HOSTNAME', 'STORE_HOST'],
    ['STORE_HOSTS', 'STORE_HOST'],
    ['STORE_USER', 'STORE_USERNAME'],
    ['STORE_PASS', 'STORE_PASSWORD'],
    ['STORE_PASWORD', 'STORE_PASSWORD'],
    ['STORE_SENTINEL', 'STORE_SENTINELS'],
    ['STORE_CLUSTER', 'STORE_CLUSTER_NODES'],
    ['STORE_TLS_ENABLED', 'STORE_TLS'],
    ['QUEUE_PERFIX', 'QUEUE_PREFIX'],
    ['WORKERS_METADATA_KEY', 'WORKER_METADATA_KEY'],
    ['MAX_BODY', 'MAX_BODY_SIZE'],
    ['SHUTDOWN_TIMEOUT_MS', 'SHUTDOWN_TIMEOUT'],
    ['WEBCONCURRENCY', 'WEB_CONCURRENCY'],
    ['LOG_LEVEL', undefined],
  ] as const) {
    // holds: security.mistaken-variable
    it(`takes ${variable} for ${meant ?? 'a variable of another program'}`, () => {
      const expected =
        meant === undefined ? [] : [`${variable} is not a variable of jobgate, is ${meant} meant?`];
      expect(doubts({ [variable]: 'x' })).to.deep.equal(expected);
    });
  }

  for (const store of STORE_KINDS) {
    it(`is silent about all variables that STORE=${store} uses`, () => {
      const used = allVariables.filter(({ stores }) => stores?.includes(store) ?? true);
      const all = Object.fromEntries(used.map(({ name }) => [name, '1']));
      expect(unused(store, { ...all, STORE: store })).to.deep.equal([]);
    });
  }

  for (const [store, name] of [
    ['redis', 'STORE_PATH'],
    ['redis', 'STORE_SCHEMA'],
    ['postgres', 'STORE_PATH'],
    ['postgres', 'STORE_TLS'],
    ['embedded', 'STORE_URI'],
    ['memory', 'STORE_POOL'],
  ] as const) {
    // holds: store.unused-variable
    it(`warns of ${name}, which STORE=${store} does not use`, () => {
      expect(unused(store, { STORE: store, [name]: '1' })).to.deep.equal([
        `${name} is set, but STORE=${store} does not use it`,
      ]);
    });
  }

  it('warns of a folder when a URI chooses another store, but for the folder of the image', () => {
    const environment = { STORE_PATH: './jobs', STORE_URI: 'postgres://host/jobs' };
    expect(unused('postgres', environment)).to.deep.equal([
      'STORE_PATH is set, but STORE=postgres does not use it',
    ]);
    expect(unused('postgres', { ...environment, STORE_PATH: PATH_OF_IMAGE })).to.deep.equal([]);
    const dockerfile = readFileSync(new URL('../../../Dockerfile', import.meta.url), 'utf8');
    expect(dockerfile).to.match(new RegExp(`STORE_PATH=${PATH_OF_IMAGE}$`, 'm'));
  });

  it('is silent about variables of other software and of the platform', () => {
    const names =
      `PATH HOME HOSTNAME LANG NODE_ENV NODE_OPTIONS NODE_EXTRA_CA_CERTS UV_THREADPOOL_SIZE
      npm_config_cache npm_package_version HTTP_PROXY NO_COLOR TERM SHELL TZ POD_NAME LOG_LEVEL
      DATABASE_URL QUEUE_URL QUEUE_NAME WORKER_ID WORKER_COUNT AUTH_SECRET AUTH_URL STORE_ID STORE_NAME
      MAX_WORKERS MAX_RETRIES MAX_MEMORY PORT_RANGE WEBHOOK_SECRET WEB_ROOT LOCK_FILE DEBUG_COLORS
      STORE_API STORE_ROOT_DIR`.split(/\s+/);
    expect(doubts(Object.fromEntries(names.map((name) => [name, 'x'])))).to.deep.equal([]);
  });

  for (const service of ['STORE', 'JOBGATE', 'REDIS', 'QUEUE', 'AUTH', 'STORE_URI']) {
    it(`is silent about what Kubernetes sets for a service named ${service.toLowerCase()}`, () => {
      expect(doubts(serviceLinks(service))).to.deep.equal([]);
    });
  }

  it('is silent if the intended variable is set, or not needed', () => {
    expect(doubts({ AUTH_TOKEN: 'x', AUTH_TOKENS: 'y' })).to.deep.equal([]);
    expect(doubts({ REDIS_URL: 'x', STORE_HOST: 'y' })).to.deep.equal([]);
    expect(unused('memory', { STORE_URL: 'x', STORE: 'memory' })).to.deep.equal([]);
    expect(doubts({ AUTH_TOKEN: '' })).to.deep.equal([]);
  });

  it('never repeats a value', () => {
    const doubts = configDoubts(
      { AUTH_TOKEN: 'secret' },
      { processes: 1, cores: 1, store: 'redis' },
    );
    expect(doubts).to.have.lengthOf(1);
    expect(JSON.stringify(doubts)).not.to.contain('secret');
  });

  it('warns when WEB_CONCURRENCY exceeds the number of cores', () => {
    const words = 'WEB_CONCURRENCY asks for more processes than there are cores';
    expect(doubts({ WEB_CONCURRENCY: '3' }, 3, 2)).to.deep.equal([words]);
    expect(doubts({ WEB_CONCURRENCY: '2' }, 2, 2)).to.deep.equal([]);
  });
});
