import { counted, memoryFull } from '../errors.ts';
import {
  nullable,
  integer,
  object,
  required,
  oneOf,
  type Shaped,
  time,
  optional,
  string,
  boolean,
  number,
} from '../values/shape.ts';

/** A session of another program that keeps old rows. */
export const foreignSnapshotShape = object('ForeignSnapshot', {
  application: required(string, 'The `application_name` of its session'),
  ageMs: required(
    nullable(integer(0)),
    'How long its transaction has run, in milliseconds; null when the role of the service may not know',
  ),
  transactions: required(integer(0), 'How many transactions have begun since'),
});

export type ForeignSnapshot = Shaped<typeof foreignSnapshotShape>;

const connections = object('Connections', {
  used: required(integer(0), 'How many are used, by all programs'),
  most: required(integer(0), 'How many there may be'),
});

const deadRows = object('DeadRows', {
  log: required(integer(0), 'Of the table log'),
  records: required(integer(0), 'Of the table records'),
  inbox: required(integer(0), 'Of the table inbox'),
});

/** The database of a store on PostgreSQL. */
export const databaseFactsShape = object('DatabaseFacts', {
  deadRows: required(
    deadRows,
    'How many rows are dead and not yet removed, as the server estimates',
  ),
  oldestSnapshot: required(
    nullable(foreignSnapshotShape),
    'The oldest snapshot or transaction of another program, which keeps dead rows; null without one',
  ),
  connections: required(connections, 'The connections of the server'),
  isNotified: required(
    boolean,
    'Whether the server notifies the replica that answers of changes; it asks every 100 ms otherwise',
  ),
  isFolded: required(
    boolean,
    'Whether the replica that answers can fold the log, which grows without end otherwise',
  ),
  behindMs: required(
    integer(0),
    'For how many milliseconds the replica that answers lacked what others changed, at most, within the last minute',
  ),
});

export type DatabaseFacts = Shaped<typeof databaseFactsShape>;

const bytes = nullable(integer(0));

/** Facts about the store; null where it has no such value, or does not report it. Sizes are bytes. */
export const storeFactsShape = object('StoreFacts', {
  kind: required(oneOf('redis', 'postgres', 'embedded', 'memory'), 'The kind of store'),
  path: required(nullable(string), 'The folder that keeps it; null when it is in none'),
  version: required(nullable(string), 'Its version; null when it has none'),
  usedMemory: required(bytes, 'How much memory it uses, in bytes; null when it does not say'),
  maxMemory: required(bytes, 'How much it may use, in bytes; null without a limit'),
  evictionPolicy: required(
    nullable(string),
    'Its policy without free memory; null when it does not say',
  ),
  latencyMs: required(nullable(integer(0)), 'How many milliseconds a call to it takes'),
  database: required(
    nullable(databaseFactsShape),
    'Of PostgreSQL: its database; null for other stores',
  ),
});

export type StoreFacts = Shaped<typeof storeFactsShape>;

/** The memory in which a replica keeps the jobs, in bytes. */
export const replicaMemoryUseShape = object('ReplicaMemory', {
  used: required(integer(0), 'How many bytes were in use after the last full collection'),
  limit: required(integer(0), 'How many bytes it may have'),
  isFull: required(boolean, 'Whether new jobs are refused, on all replicas'),
});

export type ReplicaMemoryUse = Shaped<typeof replicaMemoryUseShape>;

/** A process of the service, as of its latest report. Times are epoch ms. */
export const replicaShape = object('Replica', {
  instance: required(string, 'Its name, as `instance` in its log'),
  version: required(string, 'Its version'),
  startedAt: required(time, 'When it started, in milliseconds since 1970'),
  seenAt: required(time, 'When it reported itself last, in milliseconds since 1970'),
  ready: required(boolean, 'Whether it does its work'),
  running: required(integer(0), 'How many calls run on it'),
  lagMs: required(integer(0), 'How late its event loop was, in milliseconds'),
  clockSkewMs: required(number, 'By how many milliseconds its clock is ahead of that of the store'),
  memory: optional(
    replicaMemoryUseShape,
    'The memory in which it keeps the jobs; absent where the store keeps them',
  ),
});

export type Replica = Shaped<typeof replicaShape>;

/** The page of the documentation that says more of each kind of warning. */
const DOCS = {
  eviction: 'production.md#memory-of-the-store',
  memory: 'production.md#memory-of-the-store',
  versions: 'deployment.md#upgrading',
  clocks: 'production.md#replicas-and-locks',
  persistence: 'production.md#persistence',
  disk: 'deployment.md#a-folder',
  'native-version': 'native-clients.md',
  secrets: 'access.md#secrets-at-rest',
  hooks: 'hooks.md#delivery',
  callbacks: 'callbacks.md#what-is-promised',
  snapshot: 'postgresql.md#watching-the-database',
  connections: 'postgresql.md#watching-the-database',
  polling: 'postgresql.md#pgbouncer',
  folding: 'postgresql.md#watching-the-database',
  behind: 'postgresql.md#watching-the-database',
} as const;

type WarningCode = keyof typeof DOCS;

/** The same of the memory of a replica that keeps the jobs. */
const DOCS_OF_FULL_MEMORY = 'operations.md#full-memory';

const WARNING_CODES = Object.keys(DOCS) as readonly WarningCode[];

/** The text of each warning there is; false without its cause. */
type WarningTexts = Partial<Readonly<Record<WarningCode, string | false>>>;

/** Something that an operator should change. */
export const systemWarningShape = object('SystemWarning', {
  code: required(oneOf(...WARNING_CODES), 'The kind of warning, for programs'),
  text: required(string, 'The problem, for people'),
  docs: required(string, 'The page of the documentation that says more'),
});

export type SystemWarning = Shaped<typeof systemWarningShape>;

/** The facts that the warnings are derived from. */
export interface SystemFacts {
  readonly store: StoreFacts;
  /** Whether stored data survives a restart of the store; null when unknown. */
  readonly isPersistent: boolean | null;
  /** Whether its disk has no room; false when unknown. */
  readonly isFull: boolean;
  readonly replicas: readonly Replica[];
  /** The versions of BullMQ that wrote the queues. */
  readonly nativeVersions: readonly string[];
  /** How many secrets of workers and hooks are stored unencrypted because there is no key. */
  readonly openSecrets: number;
  /** How many hooks cannot deliver their messages. */
  readonly failingHooks: number;
  /** How many queues have callbacks that are held back. */
  readonly queuesHeldBack: number;
}

/** The major versions of BullMQ with which the service is tested. */
export const TESTED_MAJORS = ['5', '6'];

/** The share of its memory from which a store counts as nearly full. */
const NEARLY_FULL = 0.85;

/** The share of its memory from which a replica that keeps the jobs in it has a warning. */
const NEARLY_FULL_HEAP = 0.7;

/** How far apart (ms) the clocks of replicas may be before a warning. */
const CLOCKS_APART = 1000;

/** From which age (ms) a snapshot of another program is worth a warning. */
const OLD_SNAPSHOT = 300_000;

/** The share of its connections from which a server counts as nearly out of them. */
const NEARLY_ALL_CONNECTIONS = 0.85;

/** From which lag (ms) on a replica counts as behind the log of the store. */
export const BEHIND = 5000;

/** The warnings for operators (platform contract, section 10). */
export function systemWarnings(facts: SystemFacts): readonly SystemWarning[] {
  const { kind, database } = facts.store;
  const isInStore = kind === 'redis';
  const texts: WarningTexts = {
    ...storeTexts(facts.store),
    memory: isInStore ? storeMemoryText(facts.store) : replicaMemoryText(facts.replicas),
    ...replicaTexts(facts.replicas),
    ...serviceTexts(facts),
    ...(database !== null && databaseTexts(database)),
  };
  return WARNING_CODES.flatMap((code) => {
    const text = texts[code] ?? false;
    const docs = code === 'memory' && !isInStore ? DOCS_OF_FULL_MEMORY : DOCS[code];
    return text === false ? [] : [{ code, text, docs }];
  });
}

function storeTexts({ evictionPolicy }: StoreFacts): WarningTexts {
  return {
    eviction:
      evictionPolicy !== null &&
      evictionPolicy !== 'noeviction' &&
      `The store may evict keys (maxmemory-policy ${evictionPolicy}), which breaks queues: set noeviction`,
  };
}

function storeMemoryText({ usedMemory, maxMemory }: StoreFacts): string | false {
  if (usedMemory === null || maxMemory === null || usedMemory <= NEARLY_FULL * maxMemory) {
    return false;
  }
  const percent = Math.floor((100 * usedMemory) / maxMemory);
  return `The store uses ${percent} % of its memory: full, it refuses new jobs`;
}

/** Of the fullest replica alone: as it is full, all refuse new jobs. */
function replicaMemoryText(replicas: readonly Replica[]): string | false {
  const uses = replicas.flatMap(({ memory }) => (memory === undefined ? [] : [memory]));
  const [fullest] = uses.sort(
    (one, other) => Number(other.isFull) - Number(one.isFull) || shareOf(other) - shareOf(one),
  );
  if (fullest === undefined) return false;
  if (fullest.isFull) return `${memoryFull(fullest).message}. New jobs are refused until then`;
  if (shareOf(fullest) < NEARLY_FULL_HEAP) return false;
  const percent = Math.floor(100 * shareOf(fullest));
  return `Jobs fill ${percent} % of the memory of a replica: from 80 % on, new ones are refused`;
}

function shareOf({ used, limit }: ReplicaMemoryUse): number {
  return used / limit;
}

function replicaTexts(replicas: readonly Replica[]): WarningTexts {
  const versions = [...new Set(replicas.map(({ version }) => version))].sort();
  const apart = distance(replicas.map(({ clockSkewMs }) => clockSkewMs));
  return {
    versions: versions.length > 1 && `Replicas run different versions: ${versions.join(', ')}`,
    clocks: apart >= CLOCKS_APART && `The clocks of the replicas are ${apart} ms apart`,
  };
}

function serviceTexts(facts: SystemFacts): WarningTexts {
  const { openSecrets, failingHooks, queuesHeldBack } = facts;
  const untested = facts.nativeVersions.filter((version) => !isTested(version)).sort();
  return {
    persistence:
      facts.isPersistent === false &&
      'The store keeps nothing on disk: all jobs are lost when it ends',
    disk:
      facts.isFull && 'STORE_PATH is full: what adds to the store is refused until there is room',
    'native-version':
      untested.length > 0 &&
      `Queues were written by a BullMQ that this version is not tested with: ${untested.join(', ')}`,
    secrets:
      openSecrets > 0 &&
      `${openSecrets === 1 ? '1 value is' : `${openSecrets} values are`} stored unencrypted: set ENCRYPTION_KEYS`,
    hooks:
      failingHooks > 0 &&
      `${counted(failingHooks, 'hook')} cannot deliver messages: the page Hooks of the dashboard shows why`,
    callbacks:
      queuesHeldBack > 0 &&
      `Callbacks of ${counted(queuesHeldBack, 'queue')} are held back: too many of each wait to be sent`,
  };
}

function databaseTexts(facts: DatabaseFacts): WarningTexts {
  const { oldestSnapshot, connections, behindMs } = facts;
  const { application = '', ageMs = null } = oldestSnapshot ?? {};
  const { used, most } = connections;
  return {
    snapshot:
      ageMs !== null &&
      ageMs >= OLD_SNAPSHOT &&
      `A transaction of "${application}" has been open for ${Math.floor(ageMs / 60_000)} minutes: dead rows stay until it ends`,
    connections:
      used >= NEARLY_ALL_CONNECTIONS * most &&
      `${used} of ${most} connections of the server are used: without a free one, replicas answer 503`,
    polling:
      !facts.isNotified &&
      'The server does not notify this replica, which asks for changes every 100 ms instead: set STORE_DIRECT_URI',
    folding:
      !facts.isFolded &&
      'The server refuses to fold the log, which grows without end: the log of this replica has the cause',
    behind:
      behindMs >= BEHIND &&
      `Within the last minute this replica was ${Math.floor(behindMs / 1000)} s behind the log: it answers 503 while it is`,
  };
}

function isTested(version: string): boolean {
  return TESTED_MAJORS.includes(version.split('.')[0] ?? '');
}

function distance(numbers: readonly number[]): number {
  return numbers.length < 2 ? 0 : Math.max(...numbers) - Math.min(...numbers);
}
