import { VIAS } from '../../domain/access/caller.ts';
import { RIGHTS } from '../../domain/values/rights.ts';
import { AUDIT_OUTCOMES, auditCursor } from '../../domain/audit/audit-entry.ts';
import { namePatternShape } from '../../domain/queues/name-pattern.ts';
import {
  integer,
  oneOf,
  optional,
  string,
  object,
  required,
  listOf,
  nullable,
} from '../../domain/values/shape.ts';
import { rewrapOrderShape } from '../../domain/workers/rewrap-order.ts';
import type { Audit } from '../audit/audit.ts';
import type { Health } from '../health/health.ts';
import type { MetricsPort } from '../ports/metrics-port.ts';
import { type Secrets, rewrapReportShape } from '../secrets/secrets.ts';
import type { StoreBackups } from '../system/store-backups.ts';
import { type System, systemReportShape } from '../system/system.ts';
import { auditPageAnswer } from './answers/audit-answers.ts';
import { withOptionalOrder } from './input.ts';
import { operation } from './operation.ts';
import { textOption, numberOption, wholeNumber } from './options.ts';
import { answers, content } from './out.ts';

export interface ServiceUseCases {
  readonly audit: Audit;
  readonly secrets: Secrets;
  readonly system: System;
  readonly storeBackups: StoreBackups;
  readonly health: Health;
  readonly metrics: MetricsPort;
}

const auditOptions = {
  who: textOption(optional(string, 'The id or the name of a token')),
  action: textOption(
    optional(namePatternShape, 'An action; `*` stands for any characters, as in `queue.*`'),
  ),
  queue: textOption(optional(string, 'The name of a queue')),
  job: textOption(optional(string, 'The id of a job')),
  from: numberOption(optional(integer(0), 'Only entries from then on (epoch ms)')),
  to: numberOption(optional(integer(0), 'Only entries until then (epoch ms)')),
  outcome: textOption(optional(oneOf(...AUDIT_OUTCOMES), 'Only entries that ended so')),
  cursor: textOption(optional(auditCursor, 'The cursor of the answer before; none to begin')),
  length: wholeNumber(integer(1, 200), 50, 'Most entries to return'),
};

const rights = required(listOf(oneOf(...RIGHTS)), 'Its rights');

const whoamiAnswer = object('Whoami', {
  name: required(string, 'The name of the token'),
  rights,
  queues: required(
    nullable(listOf(string)),
    'Patterns of the queues for which it allows that; null for all queues',
  ),
  expires: required(nullable(integer(0)), 'When it ends (epoch ms); null for never'),
  via: required(oneOf(...VIAS), 'How the request proved who sent it'),
  subject: optional(string, 'The person who signed in, as the issuer names them'),
});

/** Whether a replica does its work. */
export const readinessShape = object('Readiness', {
  status: required(oneOf('ready', 'unavailable'), 'Whether the replica does its work'),
  reason: optional(string, 'Why it does not'),
});

/** The service as a whole. */
export function serviceOperations(useCases: ServiceUseCases) {
  const { audit, secrets, system, storeBackups, health, metrics } = useCases;
  return {
    readOwnAccess: operation({
      access: 'any-token',
      summary: 'Read what the token of the request allows',
      description: 'Its name, rights and queues. Any valid token may ask.',
      in: {},
      out: answers(whoamiAnswer, 'The token'),
      perform: (_, { caller: { name, rights, queues, expires, via, subject } }) => ({
        ...{ name, rights, queues, expires, via },
        ...(subject !== undefined && { subject }),
      }),
    }),
    readAudit: operation({
      access: 'audit',
      summary: 'Read who changed what, newest first',
      description:
        'Entries name fields, filters and numbers, never data or secrets. Refused calls are ' +
        'entries too.',
      in: { query: { kind: 'options', options: auditOptions } },
      out: answers(auditPageAnswer, 'The entries'),
      perform: ({ query }, { caller }) => audit.list(query, caller.onlyQueues),
    }),
    rewrapSecrets: operation({
      access: 'admin',
      action: 'secrets.rewrap',
      needsAllQueues: true,
      needsFreshSession: true,
      summary:
        'Encrypt header values and secrets of all workers and hooks with the first of ENCRYPTION_KEYS',
      description:
        'Secrets that another key or none encrypted, or an earlier version without the origin of ' +
        'the URL, are written anew; `dryRun` only counts them. 409 without ENCRYPTION_KEYS.',
      in: withOptionalOrder(rewrapOrderShape, 'options'),
      out: answers(rewrapReportShape, 'How many there were'),
      errors: ['no-encryption-key'],
      perform: ({ order }) => secrets.rewrap(order),
      report: {
        line: 'Secrets of workers and hooks rewrapped',
        fields: ({ matched, done }) => ({ matched, done }),
      },
    }),
    readSystem: operation({
      access: 'read',
      summary: 'Read what the store is, which replicas run, and what an operator should change',
      description:
        'Memory and latency of the store, lag and clock of each replica, and warnings with where ' +
        'to read on.',
      in: {},
      out: answers(systemReportShape, 'The service as a whole'),
      perform: () => system.read(),
    }),
    backUpStore: operation({
      access: 'admin',
      action: 'store.backup',
      needsAllQueues: true,
      needsFreshSession: true,
      summary: 'Read a copy of the whole embedded store',
      description:
        'A SQLite database for `jobgate store restore`. It has everything that was answered before, while ' +
        'changes go on. One at a time: 409 during another one, and for a store without a file.',
      in: {},
      out: content('The database; `Content-Length` is its size'),
      errors: ['no-backup', 'backup-running', 'store-full'],
      perform: (_, { ending }) => storeBackups.make(ending()),
      report: { line: 'Store backed up', fields: ({ size }) => ({ bytes: size }) },
    }),
    readLiveness: operation({
      access: 'nothing',
      summary: 'Check whether the process answers',
      description: 'For a supervisor that restarts the process: it does not depend on the store.',
      in: {},
      out: answers(
        object('Liveness', {
          status: required(oneOf('up'), 'The process answers'),
        }),
        'It does',
      ),
      perform: () => ({ status: 'up' }),
    }),
    readReadiness: operation({
      access: 'nothing',
      summary: 'Check whether the replica does its work',
      description:
        'For a load balancer: 503 with the reason while the store is away, or while the replica ' +
        'ends.',
      in: {},
      out: answers(readinessShape, 'It does'),
      perform: () => health.readiness(),
    }),
    readMetrics: operation({
      access: 'metrics',
      needsAllQueues: true,
      summary: 'Read the metrics of the replica',
      description: 'In the text format of Prometheus, of this replica alone.',
      in: {},
      out: content('The text format of Prometheus'),
      perform: async () => ({ contentType: metrics.contentType, text: await metrics.read() }),
    }),
  };
}
