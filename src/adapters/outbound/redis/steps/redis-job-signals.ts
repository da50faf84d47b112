import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type {
  JobSignalPort,
  SentSignal,
  SignalsPage,
} from '../../../../application/ports/job-signal-port.ts';
import { inSteps } from '../../../../application/running/in-steps.ts';
import type { AddIdentity } from '../../../../domain/jobs/add-identity.ts';
import { tooMany } from '../../../../domain/errors.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { MOST_KEPT_SIGNALS } from '../../../../domain/transitions/signals.ts';
import type { Page } from '../../../../domain/values/page.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { forgetSignal, listSignals, sendSignal } from '../scripts/attempts.ts';

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

  /** The run that wakes the last jobs remembers the signal. */
  send(
    queue: QueueName,
    key: string,
    body: string,
    keep: number,
    identity?: AddIdentity,
  ): Promise<SentSignal | 'other'> {
    const { jobs, characters } = MOST_IN_RUN;
    const most = Math.max(1, Math.min(jobs, Math.floor(characters / body.length)));
    const { idempotency } = this.#store.keysOf(queue);
    const remembered = {
      record: identity === undefined ? '' : `${idempotency}-${identity.key}`,
      digest: identity?.body ?? '',
    };
    return inSteps(async (changed) => {
      for (let [woken, last] = [0, '']; ;) {
        const now = this.#clock.now();
        const till = keep > 0 ? now + keep : '';
        const args = { key, body, now, till, ...remembered, most, last, woken };
        const answer = await this.#store.callOf(queue, sendSignal, args);
        if (answer[0] === 'other') return answer[0];
        if (answer[0] === 'full') throw tooMany('signals', MOST_KEPT_SIGNALS);
        if (answer[0] === 'repeated') return { woken: Number(answer[1]), isRepeated: true };
        const [count, looked, upTo] = answer;
        if (looked < most) return { woken: count, isRepeated: false };
        changed();
        [woken, last] = [count, upTo];
      }
    });
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
