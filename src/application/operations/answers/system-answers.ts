import type { SystemReport } from '../../system/system.ts';
import {
  WARNING_CODES,
  type DatabaseFacts,
  type ForeignSnapshot,
  type Replica,
  type ReplicaMemoryUse,
  type StoreFacts,
  type SystemWarning,
} from '../../../domain/system/system.ts';
import {
  boolean,
  integer,
  listOf,
  mapOf,
  nullable,
  number,
  object,
  oneOf,
  optional,
  required,
  string,
  type Field,
} from '../../../domain/values/shape.ts';

const time = integer(0);
const bytes = nullable(integer(0));

const deadRows = object('DeadRows', {
  log: required(integer(0), 'Of the table log'),
  records: required(integer(0), 'Of the table records'),
  inbox: required(integer(0), 'Of the table inbox'),
} as const satisfies Record<keyof DatabaseFacts['deadRows'], Field>);

const snapshot = object('ForeignSnapshot', {
  application: required(string, 'The `application_name` of its session'),
  ageMs: required(
    nullable(integer(0)),
    'How long its transaction has run, in milliseconds; null when the role of the service may not know',
  ),
  transactions: required(integer(0), 'How many transactions have begun since'),
} as const satisfies Record<keyof ForeignSnapshot, Field>);

const connections = object('Connections', {
  used: required(integer(0), 'How many are used, by all programs'),
  most: required(integer(0), 'How many there may be'),
} as const satisfies Record<keyof DatabaseFacts['connections'], Field>);

const database = object('DatabaseFacts', {
  deadRows: required(
    deadRows,
    'How many rows are dead and not yet removed, as the server estimates',
  ),
  oldestSnapshot: required(
    nullable(snapshot),
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
} as const satisfies Record<keyof DatabaseFacts, Field>);

const store = object('StoreFacts', {
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
  database: required(nullable(database), 'Of PostgreSQL: its database; null for other stores'),
} as const satisfies Record<keyof StoreFacts, Field>);

const memoryUse = object('ReplicaMemory', {
  used: required(integer(0), 'How many bytes were in use after the last full collection'),
  limit: required(integer(0), 'How many bytes it may have'),
  isFull: required(boolean, 'Whether new jobs are refused, on all replicas'),
} as const satisfies Record<keyof ReplicaMemoryUse, Field>);

const replica = object('Replica', {
  instance: required(string, 'Its name, as `instance` in its log'),
  version: required(string, 'Its version'),
  startedAt: required(time, 'When it started, in milliseconds since 1970'),
  seenAt: required(time, 'When it reported itself last, in milliseconds since 1970'),
  ready: required(boolean, 'Whether it does its work'),
  running: required(integer(0), 'How many calls run on it'),
  lagMs: required(integer(0), 'How late its event loop was, in milliseconds'),
  clockSkewMs: required(number, 'By how many milliseconds its clock is ahead of that of the store'),
  memory: optional(
    memoryUse,
    'The memory in which it keeps the jobs; absent where the store keeps them',
  ),
} as const satisfies Record<keyof Replica, Field>);

const warning = object('SystemWarning', {
  code: required(oneOf(...WARNING_CODES), 'The kind of warning, for programs'),
  text: required(string, 'The problem, for people'),
  docs: required(string, 'The page of the documentation that says more'),
} as const satisfies Record<keyof SystemWarning, Field>);

export const systemAnswer = object('System', {
  version: required(string, 'The version of the replica that answers'),
  startedAt: required(time, 'When that replica started, in milliseconds since 1970'),
  store: required(store, 'The store'),
  replicas: required(listOf(replica), 'The replicas that reported themselves within 15 s'),
  secrets: required(
    mapOf(string, integer(0), 'be an object of ids of keys and numbers'),
    'How many header values and secrets of workers and hooks each key keeps; `none` for those kept as they are',
  ),
  warnings: required(listOf(warning), 'The settings that an operator should change'),
} as const satisfies Record<keyof SystemReport, Field>);
