/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import { randomUUID } from 'node:crypto';
import {
  REPLICA_SEEN_FOR,
  type ReplicaReport,
  type StoreReport,
  type SystemPort,
} from '../../../../application/ports/system-port.ts';
import type { Replica } from '../../../../domain/system/system.ts';
import type { KeyedRecords } from '../records/keyed-records.ts';
import type { MemoryStore } from '../state/memory-store.ts';

/** The folder that keeps the memory of this process. */
export interface KeptIn {
  readonly path: string;
  /** Whether its disk has no room. */
  isFull(): boolean;
}

/** The memory of this process as a store, and the replicas on it: usually just this one. */
export class MemorySystem implements SystemPort {
  readonly #store: MemoryStore;
  readonly #keptIn: KeptIn | undefined;
  readonly #replicas = new Map<string, Replica>();
  readonly #data: KeyedRecords<{ readonly id: string }>;

  /** @param keptIn undefined for a store that ends with its process. */
  constructor(store: MemoryStore, keptIn?: KeptIn) {
    this.#store = store;
    this.#keptIn = keptIn;
    this.#data = store.records.map('system');
  }

  async store(): Promise<StoreReport> {
    const { rss } = process.memoryUsage();
    const keptIn = this.#keptIn;
    return {
      facts: {
        kind: keptIn === undefined ? 'memory' : 'embedded',
        path: keptIn?.path ?? null,
        version: null,
        usedMemory: rss,
        maxMemory: null,
        evictionPolicy: null,
      },
      isPersistent: keptIn !== undefined,
      isFull: keptIn?.isFull() === true,
    };
  }

  async report(report: ReplicaReport, now: number): Promise<void> {
    const seenAt = this.#store.now();
    const clockSkewMs = Math.round(now - seenAt);
    this.#replicas.set(report.instance, { ...report, seenAt, clockSkewMs });
  }

  async replicas(): Promise<readonly Replica[]> {
    const now = this.#store.now();
    return [...this.#replicas.values()]
      .filter(({ seenAt }) => now - seenAt <= REPLICA_SEEN_FOR)
      .sort((a, b) => (a.instance < b.instance ? -1 : 1));
  }

  async dataId(): Promise<string> {
    const { id } = this.#data.find('data') ?? { id: randomUUID() };
    if (!this.#data.has('data')) this.#data.put('data', { id });
    return id;
  }

  /** Native clients cannot reach it. */
  async nativeVersions(): Promise<readonly string[]> {
    return [];
  }
}
