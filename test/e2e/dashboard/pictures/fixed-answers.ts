/** The time of the pictures, which show ages. */
export const NOW = Date.UTC(2026, 10, 25, 14, 3, 30);

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

interface Shown {
  readonly name: string;
  readonly waiting?: number;
  readonly failed?: number;
  /** Milliseconds. */
  readonly oldest?: number | null;
  readonly worker?: string;
  readonly blocked?: object;
  readonly failureRate?: number;
  readonly failing?: object;
  readonly attention?: object;
}

const MAIL: Shown = {
  name: 'mail-eu',
  waiting: 3120,
  failed: 1044,
  oldest: 4 * MINUTE,
  worker: 'open',
  blocked: {
    reason: 'open',
    until: NOW + 12 * SECOND,
    detail: 'The breaker is open after 5 failures; a probe follows',
  },
  failureRate: 0.92,
  failing: { window: HOUR, ended: 1135, failed: 1044 },
  attention: { reason: 'open', severity: 2 },
};
const INVOICES: Shown = {
  name: 'invoices',
  waiting: 812,
  oldest: 2 * HOUR,
  worker: 'healthy',
  blocked: { reason: 'paused', detail: 'The queue is paused' },
  attention: { reason: 'paused', severity: 4 },
};
const THUMBNAILS: Shown = { name: 'thumbnails', waiting: 12, failed: 3, worker: 'healthy' };
const REPORTS: Shown = { name: 'reports' };

const COUNTS = { active: 4, completed: 4793, delayed: 17, prioritized: 0, 'waiting-children': 0 };

const SERIES = Array.from({ length: 60 }, (_, minute) => 60 + ((minute * 7) % 25));
const FIGURES = {
  step: MINUTE,
  from: NOW - 60 * MINUTE,
  series: {
    ...Object.fromEntries(
      ['added', 'completed', 'waiting', 'oldestWaiting'].map((name) => [name, SERIES]),
    ),
    ...Object.fromEntries(
      ['failed', 'retried', 'deferred', 'stalled'].map((name) => [
        name,
        SERIES.map((each) => each % 5),
      ]),
    ),
    waitMs: percentiles(2, 19, 80),
    callMs: percentiles(41, 130, 210),
    status: Object.fromEntries(
      ['1xx', '2xx', '3xx', '4xx', '429', '5xx', 'none'].map((name) => [
        name,
        SERIES.map((each) => (name === '2xx' ? each : 0)),
      ]),
    ),
  },
};

const REASON = 'Not a PNG';
const CAUSE = {
  queue: 'thumbnails',
  cause: REASON,
  reason: REASON,
  status: 422,
  count: 3,
  first: NOW - 40 * MINUTE,
  last: NOW - 3 * MINUTE,
  samples: ['17', '16', '15'],
};

/** What the API answers, by the path and, where that has several answers, the parameter `state`. */
export const ANSWERS: Readonly<Record<string, unknown>> = {
  '/whoami': { name: 'ops', rights: ['admin'], queues: null, expires: null, via: 'session' },
  '/queues': listOf(MAIL, INVOICES, THUMBNAILS, REPORTS),
  '/queues?state=blocked': listOf(MAIL, INVOICES),
  '/queues?state=failing': listOf(MAIL),
  '/figures': FIGURES,
  '/system': {
    version: '1.0.0',
    startedAt: NOW - 26 * HOUR,
    store: {
      kind: 'redis',
      path: null,
      version: '7.4.2',
      usedMemory: 310e6,
      maxMemory: 1e9,
      evictionPolicy: 'noeviction',
      latencyMs: 0.3,
      database: null,
    },
    replicas: ['a', 'b', 'c'].map((name) => ({
      instance: `jobgate-${name}`,
      version: '1.0.0',
      startedAt: NOW - 26 * HOUR,
      seenAt: NOW - 2 * SECOND,
      ready: true,
      running: 4,
      lagMs: 1,
      clockSkewMs: 0,
    })),
    warnings: [],
  },
  '/queues/thumbnails': {
    ...figured(THUMBNAILS),
    worker: 'https://images.example.com/thumbnails',
    concurrency: 4,
    limiter: { max: 100, duration: SECOND },
    heldUntil: null,
    heldBy: null,
    window: null,
    policy: { maxWaiting: 10_000 },
    stuckParents: 0,
    deadLetters: null,
  },
  // Counts with many digits, which the axis has to have room for.
  '/queues/thumbnails/figures': {
    ...FIGURES,
    series: { ...FIGURES.series, waiting: SERIES.map((count) => count * 1_000_000) },
  },
  '/queues/thumbnails/groups': { total: 0, groups: [] },
  '/queues/thumbnails/jobs': {
    jobs: ['17', '16', '15'].map((id, place) => summaryOf(id, NOW - (3 + place) * MINUTE)),
  },
  '/queues/thumbnails/jobs/17': {
    ...summaryOf('17', NOW - 3 * MINUTE),
    data: { file: 'dog.txt' },
    opts: { attempts: 2, backoff: { type: 'exponential', delay: SECOND } },
    stacktrace: [REASON, REASON],
  },
  '/queues/thumbnails/jobs/17/data': {
    file: 'dog.txt',
    width: 320,
    customer: { id: 12345678901234, name: 'Zoë' },
  },
  '/queues/thumbnails/jobs/17/logs': { count: 2, logs: ['fetched dog.txt', 'no PNG signature'] },
  '/queues/thumbnails/jobs/17/attempts': {
    count: 2,
    attempts: [1, 2].map((number) => ({
      number,
      startedAt: NOW - 3 * MINUTE + (number - 2) * 1100,
      endedAt: NOW - 3 * MINUTE + (number - 2) * 1100 + 41,
      durationMs: 41,
      outcome: 'failed',
      status: 422,
      reason: REASON,
      response: '{"detail": "Not a PNG"}',
      replica: 'jobgate-a',
      traceId: null,
    })),
  },
  '/queues/thumbnails/failures': { window: 3_600_000, failed: 3, causes: [CAUSE] },
  '/failures': [
    {
      ...CAUSE,
      queue: 'mail-eu',
      cause: 'HTTP 503',
      reason: 'HTTP 503',
      status: 503,
      count: 1041,
    },
    CAUSE,
  ],
  '/workers': {
    total: 2,
    workers: [
      healthOf('mail-eu', { state: 'open', lastStatus: 503, failures: 1044 }),
      healthOf('thumbnails', {}),
    ],
  },
};

function percentiles(...[p50, p95, p99]: readonly [number, number, number]): object {
  const constant = (value: number): readonly number[] => SERIES.map(() => value);
  return { p50: constant(p50), p95: constant(p95), p99: constant(p99) };
}

function listOf(...queues: readonly Shown[]): object {
  return { at: NOW - 2 * SECOND, total: queues.length, queues: queues.map(figured) };
}

function figured({
  name,
  waiting = 0,
  failed = 0,
  oldest = null,
  worker,
  ...shown
}: Shown): object {
  return {
    name,
    paused: name === INVOICES.name,
    counts: { ...COUNTS, waiting, failed },
    oldestWaiting: oldest,
    worker: worker === undefined ? null : { url: `https://example.com/${name}`, state: worker },
    blocked: shown.blocked ?? null,
    rates: { added: 88, completed: 88, failed: 0 },
    failureRate: shown.failureRate ?? 0.001,
    failing: shown.failing ?? null,
    attention: shown.attention ?? null,
    spark: SERIES.slice(0, 30),
  };
}

function summaryOf(id: string, finishedOn: number): object {
  return {
    id,
    name: 'scale',
    state: 'failed',
    timestamp: finishedOn - 1143,
    processedOn: finishedOn - 41,
    finishedOn,
    dueAt: null,
    priority: 0,
    attemptsMade: 2,
    attempts: 2,
    progress: 0,
    failedReason: REASON,
    lastStatus: 422,
    group: null,
    parent: null,
    dataSize: 81,
  };
}

function healthOf(queue: string, more: object): object {
  return {
    queue,
    url: `https://example.com/${queue}`,
    method: 'post',
    state: 'healthy',
    since: NOW - 3 * HOUR,
    until: null,
    reason: null,
    concurrency: 4,
    running: 4,
    calls: 5280,
    failures: 3,
    lastStatus: 200,
    latencyMs: { p50: 41, p95: 130, p99: 210 },
    signed: true,
    registeredAt: NOW - 26 * HOUR,
    ...more,
  };
}
