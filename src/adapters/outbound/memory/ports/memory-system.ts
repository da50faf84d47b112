/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import { randomUUID } from 'node:crypto';
import {
  REPLICA_SEEN_FOR,
  type ReplicaReport,
  type StoreReport,
  type SystemPort,
} from '../../../../application/ports/system-port.ts';
import { OF_HELD } from '../../../../domain/queues/own-queue.ts';
import type { Replica, ReplicaMemoryUse } from '../../../../domain/system/system.ts';
import type { KeyedRecords } from '../records/keyed-records.ts';
import type { RoomState } from '../room/memory-room.ts';
import { StoreRecords } from '../records/store-records.ts';
import type { MemoryStore } from '../state/memory-store.ts';

/** How long (ms) a replica is known after its last report. */
const FORGOTTEN_AFTER = 4 * REPLICA_SEEN_FOR;

/** The folder that keeps the memory of this process. */
export interface KeptIn {
  readonly path: string;
  /** Whether its disk has no room. */
  isFull(): boolean;
}

/** The memory of this process as a store, and the replicas on it: usually just this one. */
export class MemorySystem implements SystemPort {
  readonly #store: MemoryStore;
  readonly #room: RoomState;
  readonly #keptIn: KeptIn | undefined;
  readonly #replicas: KeyedRecords<Replica>;
  readonly #data: KeyedRecords<{ readonly id: string }>;

  /**
   * @param keptIn undefined for a store that ends with its process.
   * @param shared keep the replicas, where there are others.
   */
  constructor(store: MemoryStore, room: RoomState, keptIn?: KeptIn, shared = new StoreRecords()) {
    this.#store = store;
    this.#room = room;
    this.#keptIn = keptIn;
    this.#replicas = shared.map('replica');
    this.#data = store.records.map('system');
  }

  async store(): Promise<StoreReport> {
    const { used, limit } = this.#room.memory;
    const keptIn = this.#keptIn;
    return {
      facts: {
        kind: keptIn === undefined ? 'memory' : 'embedded',
        path: keptIn?.path ?? null,
        version: null,
        usedMemory: used,
        maxMemory: limit,
        evictionPolicy: null,
        database: null,
      },
      isPersistent: keptIn !== undefined,
      isFull: keptIn?.isFull() === true,
      queuesHeldBack: this.queuesHeldBack(),
    };
  }

  protected queuesHeldBack(): number {
    let found = 0;
    for (const [name, queue] of this.#store.all()) {
      if (name.startsWith(OF_HELD) && queue.jobs.in.waiting.size > 0) found += 1;
    }
    return found;
  }

  async report(report: ReplicaReport, now: number): Promise<void> {
    const seenAt = this.#store.now();
    const clockSkewMs = Math.round(now - seenAt);
    for (const { instance, seenAt: last } of this.#replicas.values()) {
      if (seenAt - last > FORGOTTEN_AFTER) this.#replicas.remove(instance);
    }
    const memory = this.#memory();
    this.#replicas.put(report.instance, { ...report, seenAt, clockSkewMs, memory });
  }

  /** Reports the memory of a replica again, which is full or has room by now; nothing before its first report. */
  async reportMemory(instance: string): Promise<void> {
    const replica = this.#replicas.find(instance);
    if (replica === undefined) return;
    const seenAt = this.#store.now();
    this.#replicas.put(instance, { ...replica, seenAt, memory: this.#memory() });
  }

  async replicas(): Promise<readonly Replica[]> {
    const now = this.#store.now();
    return [...this.#replicas.values()]
      .filter(({ seenAt }) => now - seenAt <= REPLICA_SEEN_FOR)
      .sort((a, b) => (a.instance < b.instance ? -1 : 1));
  }

  /** The memory of a live replica that is full; undefined while none is. */
  fullMemory(): ReplicaMemoryUse | undefined {
    const now = this.#store.now();
    for (const { memory, seenAt } of this.#replicas.values()) {
      if (memory?.isFull === true && now - seenAt <= REPLICA_SEEN_FOR) return memory;
    }
    return undefined;
  }

  async dataId(): Promise<string> {
    const { id } = this.#data.find('data') ?? { id: randomUUID() };
    if (!this.#data.has('data')) this.#data.put('data', { id });
    return id;
  }

  #memory(): ReplicaMemoryUse {
    const { memory, isFull } = this.#room;
    return { ...memory, isFull };
  }

  /** Native clients cannot reach it. */
  async nativeVersions(): Promise<readonly string[]> {
    return [];
  }
}
