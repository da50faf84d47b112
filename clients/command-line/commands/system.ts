import type { Replica, StoreFacts, System, Whoami } from 'jobgate-client';
import { asking } from '../asking.ts';
import type { Declaration } from '../command.ts';
import { fields } from '../output/fields.ts';
import { coloured } from '../output/marks.ts';
import type { Column } from '../output/table.ts';
import { moment, timeAndDistance } from '../output/times.ts';

const replicaColumns: readonly Column<Replica>[] = [
  { head: 'REPLICA', cell: ({ instance }) => instance },
  { head: 'VERSION', cell: ({ version }) => version },
  { head: 'STARTED', cell: ({ startedAt }) => moment(startedAt) },
  {
    head: 'READY',
    cell: ({ ready }) => (ready ? 'yes' : 'no'),
    colour: ({ ready }) => (ready ? 'green' : 'red'),
  },
  { head: 'RUNNING', cell: ({ running }) => running },
  { head: 'LAG', cell: ({ lagMs }) => `${lagMs} ms` },
  { head: 'CLOCK', cell: ({ clockSkewMs }) => `${Math.round(clockSkewMs)} ms` },
  {
    head: 'MEMORY',
    cell: ({ memory: use }) =>
      use === undefined ? '' : `${memory(use.used)} of ${memory(use.limit)}`,
    isOptional: true,
  },
];

/** Bytes in MiB. */
function memory(bytes: number | null): string {
  return bytes === null ? '' : `${(bytes / 1_048_576).toFixed(1)} MiB`;
}

/** Facts that only a database reports. */
function databaseFields(database: StoreFacts['database']): readonly (readonly [string, string])[] {
  if (database === null) return [];
  const { deadRows, oldestSnapshot, connections, isNotified } = database;
  const dead = Object.entries(deadRows).map(([table, rows]) => `${rows} in ${table}`);
  const { application, ageMs } = oldestSnapshot ?? { application: 'none', ageMs: null };
  const age = ageMs === null ? '' : ` for ${Math.round(ageMs / 1000)} s`;
  return [
    ['dead rows', dead.join(', ')],
    ['oldest snapshot', `${application}${age}`],
    ['connections', `${connections.used} of ${connections.most}`],
    ['changes', isNotified ? 'notified' : 'polled every 100 ms'],
  ];
}

export const systemCommands: readonly Declaration[] = [
  asking<System>({
    usage: 'system',
    summary: 'show the store and the replicas, and any problems with them',
    isWatchable: true,
    sends: 'GET /system',
    shows: ({ version, store, replicas, warnings }, call) =>
      [
        fields([
          ['service', `${call.service.url}, version ${version}`],
          ['store', [store.kind, store.version, store.path].filter(Boolean).join(' ')],
          ['memory', memory(store.usedMemory)],
          ['memory limit', store.maxMemory === 0 ? 'none' : memory(store.maxMemory)],
          ['eviction', store.evictionPolicy],
          ['latency', store.latencyMs === null ? '' : `${store.latencyMs} ms`],
          ...databaseFields(store.database),
        ]),
        call.table(replicaColumns, replicas, 'No replicas were seen'),
        ...warnings.map(({ code, text }) => `${coloured(code, 'yellow')}: ${text}`),
      ].join('\n\n'),
  }),
  asking<Whoami>({
    usage: 'whoami',
    summary: 'show the token that commands use and its rights',
    sends: 'GET /whoami',
    shows: ({ name, rights, queues, expires }, call) =>
      fields([
        ['service', call.service.url],
        ['token', name],
        ['rights', rights.join(', ')],
        ['queues', queues?.join(', ') ?? 'all'],
        ['expires', expires === null ? 'never' : timeAndDistance(expires)],
      ]),
  }),
];
