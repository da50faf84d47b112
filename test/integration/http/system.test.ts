import { expect } from 'chai';
import {
  systemWarnings,
  type DatabaseFacts,
  type SystemFacts,
} from '../../../src/domain/system/system.ts';
import { version } from '../../../src/infrastructure/version.ts';
import { HttpService } from './support/http-service.ts';

const REPLICA = {
  instance: 'host:2',
  version: '9.9.9',
  startedAt: 5,
  seenAt: 10,
  ready: true,
  running: 2,
  lagMs: 3,
  clockSkewMs: 0,
};

const QUIET: SystemFacts = {
  store: {
    kind: 'redis',
    path: null,
    version: '7.2.0',
    usedMemory: 80,
    maxMemory: 100,
    evictionPolicy: 'noeviction',
    latencyMs: 1,
    database: null,
  },
  isPersistent: true,
  isFull: false,
  queuesHeldBack: 0,
  replicas: [REPLICA, { ...REPLICA, instance: 'host:3', clockSkewMs: 999 }],
  nativeVersions: ['5.76.2', '6.7.0'],
  openSecrets: 0,
  failingHooks: 0,
};

const DATABASE: DatabaseFacts = {
  deadRows: { log: 900, records: 1, inbox: 0 },
  oldestSnapshot: { application: 'shop', ageMs: 299_999, transactions: 7 },
  connections: { used: 84, most: 100 },
  isNotified: true,
  isFolded: true,
  behindMs: 4999,
};

function onDatabase(facts: Partial<DatabaseFacts>): Partial<SystemFacts> {
  return { store: { ...QUIET.store, kind: 'postgres', database: { ...DATABASE, ...facts } } };
}

const AMPLE = { used: 1e8, limit: 1e9, isFull: false };

describe('The system', () => {
  // holds: system.store, system.replicas, system.warnings
  it('reports the store, the replicas and what should be changed', async () => {
    const service = await new HttpService({ keptIn: 'memory' }).start();
    const { instance, version: other, startedAt, ready, running, lagMs } = REPLICA;
    const report = { instance, version: other, startedAt, ready, running, lagMs };
    const now = service.clock.now();
    await service.systemStore.report(report, now + 40);
    const { status, text } = await service.request('GET', '/system');
    await service.stop();
    expect(status).to.equal(200);
    const { store, ...answer } = JSON.parse(text) as { store: { usedMemory: number } };
    expect(store).to.deep.include({
      kind: 'memory',
      path: null,
      version: null,
      evictionPolicy: null,
      database: null,
    });
    expect(store.usedMemory).to.be.greaterThan(0);
    expect(answer).to.deep.equal({
      version: version(),
      startedAt: now,
      replicas: [{ ...report, seenAt: now, clockSkewMs: 40, memory: AMPLE }],
      secrets: {},
      warnings: [
        {
          code: 'persistence',
          text: 'The store keeps nothing on disk: all jobs are lost when it ends',
          docs: 'production.md#persistence',
        },
      ],
    });
  });

  for (const [code, facts] of [
    [undefined, {}],
    ['eviction', { store: { ...QUIET.store, evictionPolicy: 'allkeys-lru' } }],
    ['memory', { store: { ...QUIET.store, usedMemory: 86 } }],
    ['versions', { replicas: [REPLICA, { ...REPLICA, version: '9.9.8' }] }],
    ['clocks', { replicas: [REPLICA, { ...REPLICA, clockSkewMs: -1000 }] }],
    ['persistence', { isPersistent: false }],
    ['disk', { isFull: true }],
    ['callbacks', { queuesHeldBack: 1 }],
    ['secrets', { openSecrets: 3 }],
    ['hooks', { failingHooks: 1 }],
    [undefined, onDatabase({})],
    [
      undefined,
      onDatabase({ oldestSnapshot: { application: 'shop', ageMs: null, transactions: 7 } }),
    ],
    [
      'snapshot',
      onDatabase({ oldestSnapshot: { application: 'shop', ageMs: 300_000, transactions: 7 } }),
    ],
    ['connections', onDatabase({ connections: { used: 85, most: 100 } })],
    ['polling', onDatabase({ isNotified: false })],
    ['folding', onDatabase({ isFolded: false })],
    ['behind', onDatabase({ behindMs: 5000 })],
    ['native-version', { nativeVersions: ['6.1.0', '4.17.3'] }],
  ] as const) {
    // holds: system.warnings
    it(`warns of ${code ?? `nothing where all is well: ${JSON.stringify(facts)}`}`, () => {
      const warnings = systemWarnings({ ...QUIET, ...facts });
      expect(warnings.map((each) => each.code)).to.deep.equal(code === undefined ? [] : [code]);
    });
  }
});
