import { isStoreUnavailable } from '../../domain/errors.ts';
import { beginOf, NO_BACKLOG, STEPS, type Backlog } from '../../domain/figures/figure-steps.ts';
import { waitingAge } from '../../domain/queues/waiting-age.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { FiguresPort } from '../ports/figures-port.ts';
import type { LoggerPort } from '../ports/logger-port.ts';
import type { QueueGlance } from '../ports/queue-directory-port.ts';
import type { QueueView } from '../queues/queue-view.ts';
import type { RepeatedWork } from '../running/rounds.ts';

/** At the end of each minute, one of the replicas records the backlog of every queue. */
export class BacklogSampler implements RepeatedWork {
  readonly name = 'backlog sampler';
  readonly #view: QueueView;
  readonly #store: FiguresPort;
  readonly #clock: ClockPort;
  readonly #logger: LoggerPort;
  /** The minute (epoch ms) whose end is the next to sample. */
  #minute: number | undefined;

  constructor(view: QueueView, store: FiguresPort, clock: ClockPort, logger: LoggerPort) {
    this.#view = view;
    this.#store = store;
    this.#clock = clock;
    this.#logger = logger;
  }

  async round(): Promise<number> {
    const current = beginOf('minute', this.#clock.now());
    const ended = this.#minute;
    this.#minute = current;
    // After a longer delay, such as a suspension of the machine, the backlog at the end of the minute is unknown.
    if (ended !== undefined && ended === current - STEPS.minute) await this.#tryToSample(ended);
    const now = this.#clock.now();
    return beginOf('minute', now) + STEPS.minute - now + 1;
  }

  async #tryToSample(minute: number): Promise<void> {
    try {
      if (await this.#store.claimSample(minute)) await this.#sample(minute);
    } catch (error) {
      if (isStoreUnavailable(error)) return;
      this.#logger.error('The backlog of queues could not be recorded', { error });
    }
  }

  async #sample(at: number): Promise<void> {
    const view = await this.#view.queues();
    const backlogs = view.queues.map(({ queue, glance }) => {
      return { queue, backlog: backlogOf(glance, view.at) };
    });
    const total = totalBacklog(backlogs.map(({ backlog }) => backlog));
    const queues = backlogs.filter(({ backlog }) => backlog.waiting > 0);
    await this.#store.saveSample({ at, total, queues });
  }
}

/** The jobs that could start now. */
export function backlogOf({ counts, waitingSince }: QueueGlance, now: number): Backlog {
  const waiting = counts.waiting + counts.prioritized;
  return { waiting, oldestWaiting: waiting === 0 ? null : waitingAge(waitingSince, now) };
}

/** The backlog of all queues together. */
export function totalBacklog(backlogs: readonly Backlog[]): Backlog {
  return backlogs.reduce(
    (total, { waiting, oldestWaiting }) => ({
      waiting: total.waiting + waiting,
      oldestWaiting:
        oldestWaiting === null
          ? total.oldestWaiting
          : Math.max(oldestWaiting, total.oldestWaiting ?? 0),
    }),
    NO_BACKLOG,
  );
}
