import type { AccessToken } from '../../src/domain/access/access-token.ts';
import { MOST_HOOKS, type Hook } from '../../src/domain/hooks/hook.ts';
import type { LimitSettings } from '../../src/domain/limits/limit.ts';
import type { HookState } from '../../src/domain/hooks/hook-state.ts';
import type { CollectionPort } from '../../src/application/ports/collection-port.ts';
import type { PushKeyPair } from '../../src/application/ports/push-format-port.ts';
import { MOST_URL_GROUPS, type UrlGroup } from '../../src/domain/messages/url-group.ts';
import { MOST_SUBSCRIPTIONS, type Subscription } from '../../src/domain/topics/subscription.ts';
import type { Worker } from '../../src/domain/workers/worker.ts';
import { plainHook } from '../support/plain-hook.ts';
import { queueNamed } from '../support/queue-named.ts';
import type { QueueReplica } from './queue-harness.ts';

/** A kind of records, as the suite of all kinds needs it. */
export interface KindOfRecords<Kept extends object> {
  readonly name: string;

  /** Ids that a store may get wrong. */
  readonly ids: readonly string[];

  in(replica: QueueReplica): CollectionPort<Kept>;

  /** A record with all fields that one can have. */
  full(id: string): Kept;

  /** A record with few fields that has a number. */
  plain(id: string, number: number): Kept;

  numberOf(record: Kept): number;

  /** How many there may be, and the error for one more, where a test can reach that. */
  readonly most?: { readonly count: number; readonly code: string; readonly message: string };
}

const FIELDS_OF_OBJECTS = ['__proto__', 'constructor', 'toString'];

/** Names of queues are nearly any text. */
const QUEUES = [
  'ünïcode 日本語 🚀',
  'with spaces  in it',
  '"\'\\/',
  '{braces}',
  ...FIELDS_OF_OBJECTS,
];

const HOOKS: KindOfRecords<Hook> = {
  name: 'hooks',
  ids: FIELDS_OF_OBJECTS,
  in: ({ hooks }) => hooks,
  full: (id) => ({
    id,
    url: 'https://example.test/hooks?a=b',
    headers: { Authorization: 'Bearer secret' },
    signing: true,
    secrets: {
      current: 'whsec_MQ==',
      former: [{ secret: 'whsec_Mg==', until: 1_700_000_000_000 }],
    },
    events: ['queue.*', 'job.failed'],
    queues: ['mail-*', '!mail-vip'],
    when: { waiting: 5, failureRate: { over: 0.5, window: 60_000, atLeast: 3 } },
    for: 0,
    repeat: 60_000,
    format: 'slack',
    paused: true,
    pausedReason: 'The receiver answered 410',
    createdAt: 1_700_000_000_000,
    data: true,
  }),
  plain: (id, number) => ({ ...plainHook(id), for: number }),
  numberOf: (hook) => hook.for,
  most: { count: MOST_HOOKS, code: 'too-many-hooks', message: 'There are 100 hooks' },
};

const HOOK_STATES: KindOfRecords<HookState> = {
  name: 'hook states',
  ids: FIELDS_OF_OBJECTS,
  in: ({ hookStates }) => hookStates,
  full: () => {
    const queue = queueNamed('mail');
    return {
      createdAt: 1_700_000_000_000,
      version: 7,
      conditions: {
        'queue.late': [{ queue, since: 1_700_000_000_001, reportedAt: 1_700_000_000_002 }],
        'worker.open': [{ queue: queueNamed('__proto__'), since: 5 }],
      },
      missed: [{ queue, scheduler: 'nightly', slot: 1_700_000_000_003 }],
      schedulersSeenAt: 1_700_000_000_004,
      lookedAt: 1_700_000_000_005,
      outbox: [{ id: 'one.1.7.0', message: { kind: 'test', type: 'hook.test', at: 1 } }],
    };
  },
  plain: (_, version) => {
    return { createdAt: 1, version, conditions: {}, missed: [], lookedAt: 0, outbox: [] };
  },
  numberOf: ({ version }) => version,
};

const WORKERS: KindOfRecords<Worker> = {
  name: 'workers',
  ids: QUEUES,
  in: ({ workers }) => workers,
  full: (id) => ({
    queue: queueNamed(id),
    endpoint: {
      url: 'https://example.test/hook?a=b#c',
      method: 'put',
      headers: { Authorization: 'Bearer secret', 'X-Tag': '' },
      timeout: 1500,
      signing: true,
      secrets: {
        current: 'whsec_MQ==',
        former: [{ secret: 'whsec_Mg==', until: 1_700_000_000_000 }],
      },
    },
    opts: {
      concurrency: 7,
      limiter: { max: 3, duration: 1000 },
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 10, age: 3600 },
      maxStalledCount: 0,
    },
    registration: 'one',
    disabled: { since: 1_700_000_000_000, reason: null },
  }),
  plain: (id, number) => ({
    queue: queueNamed(id),
    endpoint: { url: 'http://127.0.0.1:1/', method: 'post' },
    opts: { concurrency: number + 1 },
  }),
  numberOf: ({ opts }) => (opts?.concurrency ?? 0) - 1,
};

const POLICIES: KindOfRecords<object & { readonly maxJobSize?: number }> = {
  name: 'policies',
  ids: QUEUES,
  in: ({ policies }) => policies,
  full: () => ({
    defaults: { attempts: 3, backoff: { type: 'linear', delay: 5 }, removeOnFail: { count: 1 } },
    maxJobSize: 100,
  }),
  plain: (_, number) => ({ maxJobSize: number + 1 }),
  numberOf: ({ maxJobSize = 0 }) => maxJobSize - 1,
};

const KEY_CHECKS: KindOfRecords<{ readonly value: string }> = {
  name: 'key checks',
  ids: FIELDS_OF_OBJECTS,
  in: ({ keyChecks }) => keyChecks,
  full: () => ({ value: 'text that is no JSON' }),
  plain: (_, number) => ({ value: String(number) }),
  numberOf: ({ value }) => Number(value),
};

const SUBSCRIPTIONS: KindOfRecords<Subscription> = {
  name: 'subscriptions',
  ids: [...FIELDS_OF_OBJECTS, 'orders/__proto__', '__proto__/billing'],
  in: ({ subscriptions }) => subscriptions,
  full: (id) => ({
    id,
    queue: queueNamed('billing'),
    filter: { name: ['paid.*'], data: { 'customer.country': ['de', null, { exists: false }] } },
    opts: { attempts: 3, callback: { url: 'https://example.test/', headers: { 'X-Tag': 'a' } } },
    endpoint: { url: 'https://example.test/hook', headers: { Authorization: 'Bearer secret' } },
    onFull: 'skip',
    paused: true,
  }),
  plain: (id, number) => ({
    id,
    queue: queueNamed('billing'),
    opts: { delay: number },
    onFull: 'refuse',
    paused: false,
  }),
  numberOf: ({ opts }) => opts?.delay ?? 0,
  most: {
    count: MOST_SUBSCRIPTIONS,
    code: 'too-many-topics',
    message: 'The topic has 1000 subscriptions',
  },
};

const LIMITS: KindOfRecords<LimitSettings> = {
  name: 'limits',
  ids: FIELDS_OF_OBJECTS,
  in: ({ limits }) => limits,
  full: () => ({ concurrency: 20, limiter: { max: 100, duration: 60_000 } }),
  plain: (_, number) => ({ concurrency: number + 1 }),
  numberOf: ({ concurrency = 1 }) => concurrency - 1,
};

const URL_GROUPS: KindOfRecords<UrlGroup> = {
  name: 'URL groups',
  ids: FIELDS_OF_OBJECTS,
  in: ({ urlGroups }) => urlGroups,
  full: () => ({
    endpoints: [
      { url: 'https://example.test/hook?a=b', name: 'first' },
      { url: 'http://127.0.0.1:1/' },
    ],
    createdAt: 1_700_000_000_000,
    updatedAt: 1_700_000_000_001,
  }),
  plain: (_, updatedAt) => ({ endpoints: [{ url: 'http://a.test/' }], createdAt: 0, updatedAt }),
  numberOf: ({ updatedAt }) => updatedAt,
  most: {
    count: MOST_URL_GROUPS,
    code: 'too-many-url-groups',
    message: 'There are 1000 URL groups',
  },
};

const PUSH_KEYS: KindOfRecords<PushKeyPair> = {
  name: 'push keys',
  ids: FIELDS_OF_OBJECTS,
  in: ({ pushKeys }) => pushKeys,
  full: () => ({ current: 'sig_current', next: 'sig_next' }),
  plain: (_, number) => ({ current: 'sig_current', next: String(number) }),
  numberOf: ({ next }) => Number(next),
};

export const ACCESS_TOKENS: KindOfRecords<AccessToken> = {
  name: 'access tokens',
  ids: FIELDS_OF_OBJECTS,
  in: ({ accessTokens }) => accessTokens,
  full: (id) => ({
    ...ACCESS_TOKENS.plain(id, 1_700_000_000_000),
    secrets: [
      { sha256: 'cd'.repeat(32), until: 1_700_000_000_000 },
      { sha256: 'ab'.repeat(32), until: null },
    ],
    queues: ['mail-*', '!mail-vip'],
    expires: 1_800_000_000_000,
    limits: { requests: { max: 5, duration: 86_400_000 } },
    addresses: ['10.0.0.0/8'],
    parent: 'environment:1',
  }),
  plain: (id, createdAt) => ({
    id,
    name: 'shop',
    hint: 'jg_…',
    secrets: [{ sha256: 'ab'.repeat(32), until: null }],
    rights: ['read'],
    queues: null,
    expires: null,
    addresses: null,
    createdAt,
    createdBy: 'environment:1',
  }),
  numberOf: ({ createdAt }) => createdAt,
};

/** All kinds of records that stores keep until they are removed. */
export const KINDS_OF_RECORDS = [
  HOOKS,
  HOOK_STATES,
  WORKERS,
  POLICIES,
  KEY_CHECKS,
  SUBSCRIPTIONS,
  LIMITS,
  URL_GROUPS,
  PUSH_KEYS,
  ACCESS_TOKENS,
] as unknown as readonly KindOfRecords<object>[];
