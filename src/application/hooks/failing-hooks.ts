import { FEW_UNSENT } from '../../domain/deliveries/unsent-messages.ts';
import type { Hook } from '../../domain/hooks/hook.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { HooksInForce } from '../ports/hooks-in-force.ts';
import { Shared } from '../running/shared.ts';
import type { HookDeliveries } from './hooks.ts';

/** How long (ms) a count is used: it reads messages of every hook. */
const KNOWN_FOR = 15_000;

/** Among how many of its latest messages the last one that ended is looked for. */
const LOOKED_AT = 10;

/** Counts the hooks that cannot deliver, for the warnings of the service. */
export class FailingHooks {
  readonly #hooks: Pick<HooksInForce, 'all'>;
  readonly #deliveries: Pick<HookDeliveries, 'list' | 'unsent'>;
  readonly #counted: Shared<number>;

  constructor(
    hooks: Pick<HooksInForce, 'all'>,
    deliveries: Pick<HookDeliveries, 'list' | 'unsent'>,
    clock: ClockPort,
  ) {
    this.#hooks = hooks;
    this.#deliveries = deliveries;
    this.#counted = new Shared(clock, { freshFor: KNOWN_FOR }, () => this.#count());
  }

  /**
   * How many hooks the service has paused, cannot sign for, whose last message that ended failed, or of which nearly as
   * many messages wait as may.
   *
   * @throws DomainError `store-unavailable`.
   */
  count(): Promise<number> {
    return this.#counted.of();
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
