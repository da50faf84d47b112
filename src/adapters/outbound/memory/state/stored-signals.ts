import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { SignalsState } from '../../../../domain/transitions/queue-state.ts';
import type { ChangesOfQueue } from '../records/record-changes.ts';
import type { RecentPayloads } from './recent-payloads.ts';
import { StoredTexts } from './stored-texts.ts';

/** A kept signal as it is written. */
export interface SignalRecord {
  /** Epoch ms. */
  readonly until: number;
}

/** The kept signals of one queue, by their keys. */
export class StoredSignals implements SignalsState {
  readonly #until = new Map<string, number>();
  readonly #changes: ChangesOfQueue;
  readonly bodies: StoredTexts;

  constructor(queue: QueueName, changes: ChangesOfQueue, payloads: RecentPayloads) {
    this.#changes = changes;
    this.bodies = new StoredTexts('signal-body', queue, changes, payloads);
  }

  get size(): number {
    return this.#until.size;
  }

  has(key: string): boolean {
    return this.#until.has(key);
  }

  /** Until when (epoch ms) each is kept. */
  get all(): ReadonlyMap<string, number> {
    return this.#until;
  }

  isKept(key: string, now: number): boolean {
    return (this.#until.get(key) ?? 0) > now;
  }

  body(key: string, now: number): string | undefined {
    if (!this.isKept(key, now)) return undefined;
    const body = this.bodies.find(key);
    if (body === undefined) throw new Error(`The body of the signal ${key} is not in memory`);
    return body;
  }

  keep(key: string, body: string, until: number): void {
    this.#until.set(key, until);
    this.#changes.note('signal', key);
    this.bodies.put(key, body);
  }

  forget(key: string): boolean {
    const wasKept = this.#until.delete(key);
    if (wasKept) this.#changes.note('signal', key);
    if (wasKept) this.bodies.remove(key);
    return wasKept;
  }

  /** Those of the largest queue are 10,000. */
  forgetUntil(now: number): void {
    for (const [key, until] of this.#until) if (until <= now) this.forget(key);
  }

  record(key: string): SignalRecord | undefined {
    const until = this.#until.get(key);
    return until === undefined ? undefined : { until };
  }

  /** Takes a signal as it was written; undefined when it is gone. */
  replace(key: string, written: unknown): void {
    if (written === undefined) this.#until.delete(key);
    else this.#until.set(key, (written as SignalRecord).until);
  }

  /** Notes all of them, as the queue goes. */
  noteAll(): void {
    for (const key of this.#until.keys()) {
      this.#changes.note('signal', key);
      this.#changes.note('signal-body', key);
    }
  }
}
