import { randomUUID } from 'node:crypto';
import {
  REPLICA_SEEN_FOR,
  type ReplicaReport,
  type StoreReport,
  type SystemPort,
} from '../../../../application/ports/system-port.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { Replica } from '../../../../domain/system/system.ts';
import { inPieces } from '../connection/in-pieces.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { ownKey } from '../layout/own-keys.ts';
import { HELD_BACK } from '../layout/callback-keys.ts';
import {
  readDataId,
  readReplicas,
  readServer,
  readVersions,
  reportReplica,
} from '../scripts/reading.ts';

/** How long (ms) the record of a replica is kept. */
const KEPT_FOR = 60_000;

/** For how many queues one run reads the metadata. */
const QUEUES_PER_RUN = 500;

/** The name and version of the library in the metadata of a queue. */
const LIBRARY = /^bullmq(?:-pro)?:(\d[^:]*)/;

/** What Redis reports about itself, and the replicas in a hash, by name. */
export class RedisSystem implements SystemPort {
  readonly #store: StoreCommands;
  readonly #keys: { readonly replicas: string; readonly dataId: string };

  constructor(store: StoreCommands) {
    this.#store = store;
    const { prefix } = store;
    this.#keys = { replicas: ownKey(prefix, 'replicas'), dataId: ownKey(prefix, 'data') };
  }

  async store(): Promise<StoreReport> {
    const { registry, start } = this.#store.all;
    const keys = { registry, heldBack: `${start}${HELD_BACK}` };
    const lines = (await this.#store.call(readServer, keys)).split(/\r?\n/);
    const facts = new Map(lines.map((line) => [line.split(':', 1)[0] ?? '', valueIn(line)]));
    const number = (name: string): number | null => {
      const value = facts.get(name);
      return value === undefined || value === '' ? null : Number(value);
    };
    return {
      facts: {
        kind: 'redis',
        path: null,
        version: facts.get('valkey_version') ?? facts.get('redis_version') ?? null,
        usedMemory: number('used_memory'),
        maxMemory: number('maxmemory') || null,
        evictionPolicy: facts.get('maxmemory_policy') ?? null,
        database: null,
      },
      isPersistent: await this.#isPersistent(facts.get('aof_enabled')),
      isFull: false,
      queuesHeldBack: number('queues_held_back') ?? 0,
    };
  }

  async report(report: ReplicaReport, now: number): Promise<void> {
    await this.#store.call(reportReplica, this.#keys, {
      instance: report.instance,
      clock: Math.round(now),
      report: JSON.stringify(report),
      keptFor: KEPT_FOR,
    });
  }

  async replicas(): Promise<readonly Replica[]> {
    const seen = { seenFor: REPLICA_SEEN_FOR };
    const records = await this.#store.call(readReplicas, this.#keys, seen);
    return records.map(replicaOf).sort((a, b) => (a.instance < b.instance ? -1 : 1));
  }

  dataId(): Promise<string> {
    return this.#store.call(readDataId, this.#keys, { id: randomUUID() });
  }

  async nativeVersions(queues: readonly QueueName[]): Promise<readonly string[]> {
    const found = await inPieces(queues, QUEUES_PER_RUN, (names) =>
      this.#store.callOfAll(readVersions, {}, names),
    );
    return [...new Set(found.flatMap((version) => LIBRARY.exec(version)?.[1] ?? []))];
  }

  /** Hosted servers often refuse to report their configuration. */
  async #isPersistent(appends: string | undefined): Promise<boolean | null> {
    if (appends === '1') return true;
    const asked = this.#store.run((client) => client.config('GET', 'save'));
    const answer = await asked.catch(() => undefined);
    return Array.isArray(answer) && answer.length === 2 ? answer[1] !== '' : null;
  }
}

function valueIn(line: string): string {
  return line.slice(line.indexOf(':') + 1);
}

/**
 * A record begins with the time of the replica and the skew of its clock, each followed by a comma; then comes its
 * report.
 */
function replicaOf(record: string): Replica {
  const [seenAt = '', skew = ''] = record.split(',', 2);
  const report = JSON.parse(record.slice(seenAt.length + skew.length + 2)) as ReplicaReport;
  return { ...report, seenAt: Number(seenAt), clockSkewMs: Number(skew) };
}
