import { FEW_UNSENT } from '../../domain/deliveries/unsent-messages.ts';
import type { Hook } from '../../domain/hooks/hook.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { HooksInForce } from '../ports/hooks-in-force.ts';
import type { HookDeliveries } from './hooks.ts';

/** How long (ms) a count is used: it reads messages of every hook. */
const KNOWN_FOR = 15_000;

/** Among how many of its latest messages the last one that ended is looked for. */
const LOOKED_AT = 10;

/** Counts the hooks that cannot deliver, for the warnings of the service. */
export class FailingHooks {
  readonly #hooks: Pick<HooksInForce, 'all'>;
  readonly #deliveries: Pick<HookDeliveries, 'list' | 'unsent'>;
  readonly #clock: ClockPort;
  #counted: { readonly at: number; readonly count: Promise<number> } | undefined;

  constructor(
    hooks: Pick<HooksInForce, 'all'>,
    deliveries: Pick<HookDeliveries, 'list' | 'unsent'>,
    clock: ClockPort,
  ) {
    this.#hooks = hooks;
    this.#deliveries = deliveries;
    this.#clock = clock;
  }

  /**
   * How many hooks the service has paused, cannot sign for, whose last message that ended failed, or of which nearly as
   * many messages wait as may.
   *
   * @throws DomainError `store-unavailable`.
   */
  count(): Promise<number> {
    const now = this.#clock.now();
    if (this.#counted !== undefined && Math.abs(now - this.#counted.at) < KNOWN_FOR) {
      return this.#counted.count;
    }
    const count = this.#count();
    this.#counted = { at: now, count };
    count.catch(() => {
      this.#counted = undefined;
    });
    return count;
  }

  async #count(): Promise<number> {
    let failing = 0;
    for (const hook of this.#hooks.all()) if (await this.#fails(hook)) failing += 1;
    return failing;
  }

  async #fails({ id, pausedReason, unreadable, paused }: Hook): Promise<boolean> {
    if (pausedReason !== undefined || unreadable !== undefined) return true;
    if (paused) return false;
    // Their latest messages say nothing of a receiver that hangs.
    if ((await this.#deliveries.unsent(id)) >= FEW_UNSENT) return true;
    const latest = await this.#deliveries.list(id, LOOKED_AT);
    return latest.find(({ state }) => state !== 'pending')?.state === 'failed';
  }
}
