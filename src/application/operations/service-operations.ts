import type { Audit, AuditQuery } from '../audit/audit.ts';
import type { Health } from '../health/health.ts';
import type { MetricsPort } from '../ports/metrics-port.ts';
import type { RewrapOrder } from '../../domain/workers/rewrap-order.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { StoreBackups } from '../system/store-backups.ts';
import type { System } from '../system/system.ts';
import type { Ordered } from './in-queue.ts';
import { operation } from './operation.ts';

export interface ServiceUseCases {
  readonly audit: Audit;
  readonly secrets: Secrets;
  readonly system: System;
  readonly storeBackups: StoreBackups;
  readonly health: Health;
  readonly metrics: MetricsPort;
}

/** The service as a whole. */
export function serviceOperations(useCases: ServiceUseCases) {
  const { audit, secrets, system, storeBackups, health, metrics } = useCases;
  return {
    readOwnAccess: operation({
      id: 'readOwnAccess',
      access: 'any-token',
      perform: (_: unknown, { caller: { name, rights, queues, expires, via } }) => ({
        ...{ name, rights, queues, expires, via },
      }),
    }),
    readAudit: operation({
      id: 'readAudit',
      access: 'audit',
      perform: ({ query }: { readonly query: AuditQuery }, { caller }) =>
        audit.list(query, caller.onlyQueues),
    }),
    rewrapSecrets: operation({
      id: 'rewrapSecrets',
      access: 'admin',
      action: 'secrets.rewrap',
      needsAllQueues: true,
      needsFreshSession: true,
      perform: ({ order }: Ordered<RewrapOrder>) => secrets.rewrap(order),
      report: {
        line: 'Secrets of workers and hooks rewrapped',
        fields: ({ matched, done }) => ({ matched, done }),
        hasChanged: (_, { order }) => order.dryRun !== true,
      },
    }),
    readSystem: operation({
      id: 'readSystem',
      access: 'read',
      perform: () => system.read(),
    }),
    backUpStore: operation({
      id: 'backUpStore',
      access: 'admin',
      action: 'store.backup',
      needsAllQueues: true,
      needsFreshSession: true,
      perform: (_: unknown, { ending }) => storeBackups.make(ending()),
      report: { line: 'Store backed up', fields: ({ size }) => ({ bytes: size }) },
    }),
    readLiveness: operation({
      id: 'readLiveness',
      access: 'nothing',
      perform: () => ({ status: 'up' }),
    }),
    readReadiness: operation({
      id: 'readReadiness',
      access: 'nothing',
      perform: () => health.readiness(),
    }),
    readMetrics: operation({
      id: 'readMetrics',
      access: 'metrics',
      needsAllQueues: true,
      perform: async () => ({ contentType: metrics.contentType, text: await metrics.read() }),
    }),
  };
}

export type ServiceOperations = ReturnType<typeof serviceOperations>;
