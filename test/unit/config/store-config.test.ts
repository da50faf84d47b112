import { expect } from 'chai';
import { ConfigError } from '../../../src/infrastructure/config/config-error.ts';
import type { StoreConfig } from '../../../src/infrastructure/config/config.ts';
import { loadConfig } from '../../../src/infrastructure/config/load-config.ts';

type Environment = Readonly<Record<string, string>>;

function load(environment: Environment): StoreConfig {
  const readFile = (path: string): string => {
    if (path.startsWith('/missing')) throw new Error('ENOENT');
    return `content of ${path}`;
  };
  return loadConfig(environment, { readFile, isTerminal: false }).store;
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

const single = (host: string, port = 6379) => ({
  kind: 'redis',
  topology: { kind: 'single', host, port },
});

describe('Store configuration', () => {
  const uris: readonly (readonly [uri: string, store: object])[] = [
    ['redis://host', single('host')],
    ['redis://host/', single('host')],
    ['redis://host:7000', single('host', 7000)],
    ['redis://10.0.0.1:7000', single('10.0.0.1', 7000)],
    ['redis://[::1]:7000', single('::1', 7000)],
    ['redis://:p%40ss@host', { ...single('host'), password: 'p@ss' }],
    ['redis://me:pass@host', { ...single('host'), username: 'me', password: 'pass' }],
    ['rediss://host', { ...single('host'), tls: {} }],
    ['redis://host/5', { kind: 'redis', topology: { ...single('host').topology, db: 5 } }],
    ['redis://host/0', { kind: 'redis', topology: { ...single('host').topology, db: 0 } }],
  ];
  for (const [uri, store] of uris) {
    // holds: variables.store-uri
    it(`accepts STORE_URI=${uri}`, () => {
      expect(load({ STORE_URI: uri })).to.deep.equal(store);
    });
  }

  for (const uri of [
    'host:6379',
    'http://host',
    'redis://',
    'redis://host:99999',
    'redis://host:0',
    'redis://host/db',
    'redis://host/1/2',
    'redis://host?db=1',
    'redis://me:top-secret@host/x',
    'redis://:%zz-top-secret@host',
    'top-secret',
  ]) {
    // holds: settings.checked
    it(`refuses STORE_URI=${uri}, without repeating it`, () => {
      const [problem = '', ...others] = problems({ STORE_URI: uri });
      expect(others).to.deep.equal([]);
      expect(problem).to.match(/^STORE_URI must have the form redis:\/\//);
      expect(problem).not.to.contain('top-secret');
    });
  }

  it('accepts the parts of a connection one by one', () => {
    const parts = { STORE_HOST: 'db', STORE_PORT: '7000' };
    const credentials = { STORE_USERNAME: 'me', STORE_PASSWORD: 'pass' };
    expect(load({ ...parts, ...credentials })).to.deep.equal({
      ...single('db', 7000),
      username: 'me',
      password: 'pass',
    });
    expect(load({ STORE_PASSWORD: 'pass' })).to.include({ password: 'pass' });
  });

  for (const [variable, value] of [
    ['STORE_HOST', 'a b'],
    ['STORE_HOST', 'redis://host'],
    ['STORE_PORT', '0'],
    ['STORE_PORT', '65536'],
    ['STORE_PORT', 'x'],
    ['STORE_TLS', 'maybe'],
  ] as const) {
    // holds: settings.checked
    it(`refuses ${variable}=${value}`, () => {
      const found = problems({ [variable]: value });
      expect(found).to.have.length(1);
      expect(found[0]).to.match(new RegExp(`^${variable} must be `));
    });
  }

  // holds: security.kubernetes-port
  it('names Kubernetes as the source of the STORE_PORT of a service named store', () => {
    const link = { STORE_PORT: 'tcp://10.96.0.7:6379' };
    const hint =
      ' (Kubernetes sets it for a service named store: give the pod enableServiceLinks: false)';
    expect(problems(link)).to.deep.equal([`STORE_PORT must be an integer from 1 to 65535${hint}`]);
    expect(problems({ ...link, STORE_URI: 'redis://host' })).to.deep.equal([
      `STORE_PORT must not be given together with STORE_URI${hint}`,
    ]);
  });

  it('requires a password for a user', () => {
    expect(problems({ STORE_USERNAME: 'me' })).to.deep.equal([
      'STORE_PASSWORD must be given together with STORE_USERNAME',
    ]);
  });

  describe('of a cluster', () => {
    const prefix = { QUEUE_PREFIX: '{jobs}' };

    // holds: settings.cluster-nodes
    it('is a list of nodes', () => {
      const nodes = 'a:7000, [fe80::1]:7001,10.0.0.1:7002';
      expect(load({ STORE_CLUSTER_NODES: nodes, ...prefix })).to.deep.equal({
        kind: 'redis',
        topology: {
          kind: 'cluster',
          nodes: [
            { host: 'a', port: 7000 },
            { host: 'fe80::1', port: 7001 },
            { host: '10.0.0.1', port: 7002 },
          ],
        },
      });
    });

    it('needs a prefix in braces', () => {
      expect(problems({ STORE_CLUSTER_NODES: 'a:7000' })).to.deep.equal([
        'QUEUE_PREFIX must be wrapped in braces, such as {jobs}, in a cluster',
      ]);
    });

    for (const nodes of [
      'a',
      'a:',
      ':7000',
      'a:0',
      'a:65536',
      'a:7000,',
      '::1:7000',
      'a:b:1',
      ',',
    ]) {
      it(`refuses ${nodes}`, () => {
        const found = problems({ STORE_CLUSTER_NODES: nodes, ...prefix });
        expect(found).to.have.length(1);
        expect(found[0]).to.match(/^STORE_CLUSTER_NODES must be a list such as/);
      });
    }
  });

  describe('of sentinels', () => {
    it('is a list of sentinels and the name of the master', () => {
      const environment = { STORE_SENTINELS: 'a:26379,b:26380', STORE_SENTINEL_MASTER: 'main' };
      expect(load(environment)).to.deep.equal({
        kind: 'redis',
        topology: {
          kind: 'sentinel',
          sentinels: [
            { host: 'a', port: 26_379 },
            { host: 'b', port: 26_380 },
          ],
          master: 'main',
        },
      });
    });

    it('needs both', () => {
      expect(problems({ STORE_SENTINELS: 'a:1' })).to.deep.equal([
        'STORE_SENTINEL_MASTER must be given together with STORE_SENTINELS',
      ]);
      expect(problems({ STORE_SENTINEL_MASTER: 'main' })).to.deep.equal([
        'STORE_SENTINELS must be given together with STORE_SENTINEL_MASTER',
      ]);
    });
  });

  describe('of TLS', () => {
    const cert = { STORE_TLS_CERT: '/cert.pem', STORE_TLS_KEY: '/key.pem' };
    const tlsOf = (environment: Environment) => {
      const store = load(environment);
      return store.kind === 'redis' ? store.tls : 'no redis';
    };

    it('is off unless asked for', () => {
      expect(tlsOf({})).to.equal(undefined);
      expect(tlsOf({ STORE_TLS: 'false' })).to.equal(undefined);
      expect(tlsOf({ STORE_TLS: '0' })).to.equal(undefined);
    });

    it('is on when asked for, with or without a URI', () => {
      expect(tlsOf({ STORE_TLS: 'true' })).to.deep.equal({});
      expect(tlsOf({ STORE_TLS: '1', STORE_URI: 'redis://host' })).to.deep.equal({});
      expect(tlsOf({ STORE_TLS: 'true', STORE_URI: 'rediss://host' })).to.deep.equal({});
    });

    it('is on when there is a certificate, and reads the files', () => {
      expect(tlsOf({ STORE_TLS_CA: '/ca.pem' })).to.deep.equal({ ca: 'content of /ca.pem' });
      expect(tlsOf({ ...cert, STORE_URI: 'rediss://host' })).to.deep.equal({
        cert: 'content of /cert.pem',
        key: 'content of /key.pem',
      });
    });

    it('must not be both disabled and requested', () => {
      for (const more of [{ STORE_URI: 'rediss://host' }, { STORE_TLS_CA: '/ca.pem' }, cert]) {
        expect(problems({ STORE_TLS: 'false', ...more })).to.deep.equal([
          'STORE_TLS must not be false next to a rediss:// URI or certificate files',
        ]);
      }
    });

    it('needs a certificate and its key together', () => {
      expect(problems({ STORE_TLS_CERT: '/cert.pem' })).to.deep.equal([
        'STORE_TLS_KEY must be given together with STORE_TLS_CERT',
      ]);
      expect(problems({ STORE_TLS_KEY: '/key.pem' })).to.deep.equal([
        'STORE_TLS_CERT must be given together with STORE_TLS_KEY',
      ]);
    });

    for (const name of ['STORE_TLS_CA', 'STORE_TLS_CERT', 'STORE_TLS_KEY']) {
      it(`must be able to read ${name}`, () => {
        expect(problems({ ...cert, [name]: '/missing' })).to.deep.equal([
          `${name} must be the path of a file that can be read`,
        ]);
      });
    }
  });

  const where: readonly Environment[] = [
    { STORE_URI: 'redis://host' },
    { STORE_CLUSTER_NODES: 'a:1', QUEUE_PREFIX: '{jobs}' },
    { STORE_SENTINELS: 'a:1', STORE_SENTINEL_MASTER: 'main' },
    { STORE_HOST: 'host' },
  ];
  for (const [index, one] of where.entries()) {
    for (const other of where.slice(index + 1)) {
      const names = [Object.keys(one)[0] ?? '', Object.keys(other)[0] ?? ''] as const;
      it(`must not be given by ${names.join(' and ')} at once`, () => {
        expect(problems({ ...one, ...other })).to.include(
          `${names[1]} must not be given together with ${names[0]}`,
        );
      });
    }
  }

  for (const name of ['STORE_PORT', 'STORE_USERNAME', 'STORE_PASSWORD']) {
    // holds: variables.store-uri
    it(`must not be given by STORE_URI and ${name} at once`, () => {
      expect(problems({ STORE_URI: 'redis://host', [name]: '7000' })).to.include(
        `${name} must not be given together with STORE_URI`,
      );
    });
  }

  describe('of PostgreSQL', () => {
    const STORE = 'postgres';
    const uri = 'postgres://me:pass@host/jobs';

    // holds: store.postgres-variables
    it('has defaults for all but the URI', () => {
      const store = { kind: 'postgres', uri, directUri: uri, schema: 'jobgate', pool: 10 };
      expect(load({ STORE, STORE_URI: uri })).to.deep.equal(store);
    });

    it('is what is set', () => {
      const directUri = 'postgresql://direct:6432/jobs';
      expect(
        load({
          STORE,
          STORE_URI: uri,
          STORE_DIRECT_URI: directUri,
          STORE_SCHEMA: '_jobs_2',
          STORE_POOL: '100',
        }),
      ).to.deep.equal({ kind: 'postgres', uri, directUri, schema: '_jobs_2', pool: 100 });
    });

    for (const accepted of [
      'postgres://host',
      'postgresql://host:5433/jobs',
      'postgres://10.0.0.1/jobs?sslmode=verify-full&connect_timeout=3',
      'postgres://me:p%40ss@a:5432,b:5433/jobs?target_session_attrs=read-write',
    ]) {
      it(`accepts STORE_URI=${accepted} as it is`, () => {
        expect(load({ STORE, STORE_URI: accepted })).to.include({ uri: accepted });
      });
    }

    for (const refused of [
      'postgres://',
      'postgres:///jobs',
      'postgres://host:0/jobs',
      'postgres://host:99999/jobs',
      'postgres://host/jobs/more',
      'postgres://host/jobs#part',
      'postgres://me:top-secret@host/a b',
      'postgres://me:%zz-top-secret@host/jobs',
      'mysql://me:top-secret@host/jobs',
    ]) {
      // holds: settings.checked
      it(`refuses STORE_URI=${refused}, without repeating it`, () => {
        const found = problems({ STORE, STORE_URI: refused });
        expect(found).to.have.lengthOf(1);
        expect(found[0]).to.match(/^STORE_URI must have the form .* postgres:\/\/user/);
        expect(found[0]).not.to.contain('top-secret');
      });
    }

    for (const [name, value, rule] of [
      [
        'STORE_DIRECT_URI',
        'redis://:top-secret@host',
        /^STORE_DIRECT_URI must have the form postgres:/,
      ],
      ['STORE_SCHEMA', 'Jobs', /^STORE_SCHEMA must be the name of a schema/],
      ['STORE_SCHEMA', '1jobs', /^STORE_SCHEMA must be the name of a schema/],
      ['STORE_SCHEMA', 'pg_jobs', /^STORE_SCHEMA must be the name of a schema/],
      ['STORE_SCHEMA', 'information_schema', /^STORE_SCHEMA must be the name of a schema/],
      ['STORE_SCHEMA', 'pg_catalog', /^STORE_SCHEMA must be the name of a schema/],
      ['STORE_SCHEMA', 'my-jobs', /^STORE_SCHEMA must be the name of a schema/],
      ['STORE_SCHEMA', 'a'.repeat(64), /^STORE_SCHEMA must be the name of a schema/],
      ['STORE_POOL', '1', /^STORE_POOL must be an integer from 2 to 100/],
      ['STORE_POOL', '101', /^STORE_POOL must be an integer from 2 to 100/],
    ] as const) {
      // holds: settings.checked
      it(`refuses ${name}=${value}`, () => {
        const found = problems({ STORE, STORE_URI: uri, [name]: value });
        expect(found).to.have.lengthOf(1);
        expect(found[0]).to.match(rule);
        expect(found[0]).not.to.contain('top-secret');
      });
    }

    it('needs a URI, and one of its own kind', () => {
      expect(problems({ STORE })).to.deep.equal(['STORE_URI must be given with STORE=postgres']);
      expect(problems({ STORE, STORE_URI: 'redis://host' })).to.deep.equal([
        'STORE_URI must begin with postgres:// with STORE=postgres',
      ]);
      expect(problems({ STORE: 'redis', STORE_URI: uri })).to.deep.equal([
        'STORE_URI must begin with redis:// or rediss:// with STORE=redis',
      ]);
    });

    for (const name of ['STORE_HOST', 'STORE_PASSWORD', 'STORE_SENTINELS']) {
      it(`must not be given by STORE_URI and ${name} at once`, () => {
        expect(problems({ STORE, STORE_URI: uri, [name]: 'host:1' })).to.include(
          `${name} must not be given together with STORE_URI`,
        );
      });
    }
  });

  it('is ignored with the memory store', () => {
    expect(load({ STORE: 'memory', STORE_URI: 'nonsense' })).to.deep.equal({ kind: 'memory' });
  });
});
