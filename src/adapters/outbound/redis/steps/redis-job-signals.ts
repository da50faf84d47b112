import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type {
  JobSignalPort,
  SentSignal,
  SignalsPage,
} from '../../../../application/ports/job-signal-port.ts';
import type { AddIdentity } from '../../../../domain/jobs/add-identity.ts';
import { tooManySignals } from '../../../../domain/errors.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { MOST_KEPT_SIGNALS } from '../../../../domain/transitions/signals.ts';
import type { Page } from '../../../../domain/values/page.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { recallAdd } from '../scripts/adds.ts';
import {
  forgetSignal,
  keepSignal,
  listSignals,
  rememberSignal,
  sendSignal,
} from '../scripts/attempts.ts';

/** The most jobs that one run wakes, and the most characters of bodies that it writes. */
const MOST_IN_RUN = { jobs: 500, characters: 1_048_576 };

/** Signals for jobs: an index of those that wait, and what is kept (docs/steps.md). */
export class RedisJobSignals implements JobSignalPort {
  readonly #store: StoreCommands;
  readonly #clock: ClockPort;

  constructor(store: StoreCommands, clock: ClockPort) {
    this.#store = store;
    this.#clock = clock;
  }

  async send(
    queue: QueueName,
    key: string,
    body: string,
    keep: number,
    identity?: AddIdentity,
  ): Promise<SentSignal | 'other'> {
    const known = identity && (await this.#recalled(queue, identity));
    if (known === 'other') return known;
    if (known !== undefined) return { woken: known, isRepeated: true };
    const woken = await this.#send(queue, key, body, keep);
    if (identity !== undefined) await this.#remember(queue, identity, woken);
    return { woken, isRepeated: false };
  }

  async #recalled(
    queue: QueueName,
    { key, body }: AddIdentity,
  ): Promise<number | 'other' | undefined> {
    const record = this.#recordOf(queue, key);
    const known = await this.#store.call(recallAdd, { record }, { body });
    if (known === undefined) return undefined;
    return known[0] === 'repeated' ? Number(known[2]) : 'other';
  }

  async #remember(queue: QueueName, { key, body }: AddIdentity, woken: number): Promise<void> {
    const args = { record: this.#recordOf(queue, key), body, woken, now: this.#clock.now() };
    await this.#store.callOf(queue, rememberSignal, args);
  }

  #recordOf(queue: QueueName, key: string): string {
    return `${this.#store.keysOf(queue).idempotency}-${key}`;
  }

  async #send(queue: QueueName, key: string, body: string, keep: number): Promise<number> {
    if (keep > 0) await this.#keep(queue, key, body, keep);
    const { jobs, characters } = MOST_IN_RUN;
    const most = Math.max(1, Math.min(jobs, Math.floor(characters / body.length)));
    let woken = 0;
    let last = '';
    for (;;) {
      const args = { key, body, now: this.#clock.now(), most, last };
      const [count, looked, upTo] = await this.#store.callOf(queue, sendSignal, args);
      woken += count;
      if (looked < most) return woken;
      last = upTo;
    }
  }

  async #keep(queue: QueueName, key: string, body: string, keep: number): Promise<void> {
    const now = this.#clock.now();
    const isKept = await this.#store.callOf(queue, keepSignal, {
      key,
      body,
      now,
      till: now + keep,
    });
    if (!isKept) throw tooManySignals(MOST_KEPT_SIGNALS);
  }

  async list(queue: QueueName, { start, length }: Page): Promise<SignalsPage> {
    const args = { start, length, now: this.#clock.now() };
    const [total, listed] = await this.#store.callOf(queue, listSignals, args);
    const signals = listed.map(([key, waiting, keptUntil]) => ({
      key,
      waiting,
      keptUntil: keptUntil === '' ? null : Number(keptUntil),
    }));
    return { total, signals };
  }

  forget(queue: QueueName, key: string): Promise<boolean> {
    return this.#store.callOf(queue, forgetSignal, { key, now: this.#clock.now() });
  }
}
