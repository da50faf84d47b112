import { isStoreUnavailable } from '../../domain/errors.ts';
import { conditionsAfter, conditionsNamed } from '../../domain/hooks/conditions.ts';
import {
  isOutdated,
  stateAfterHandover,
  stateAfterLook,
  stateOf,
  type HookState,
} from '../../domain/hooks/hook-state.ts';
import { eventsOf, MISSED_AFTER, type Hook } from '../../domain/hooks/hook.ts';
import { missedAfter } from '../../domain/hooks/missed-slots.ts';
import { without } from '../../domain/values/without.ts';
import type { KeptHookStates } from '../kept/hook-states.ts';
import type { KeptHooks } from '../kept/hooks.ts';
import type { HooksInForce } from '../ports/hooks-in-force.ts';
import type { DeliveryQueues } from '../deliveries/delivery-queues.ts';
import type { RepeatedWork } from '../running/rounds.ts';
import type { FoundSlots, MissedSlotsReader, NextSlots } from './missed-slots-reader.ts';
import type { FactsOfHooks, QueueFactsReader } from './queue-facts-reader.ts';
import type { CommonPorts } from '../ports/common-ports.ts';

/** How long (ms) no replica looks after one did. */
const INTERVAL = 9500;

/** How often (ms) each replica asks whether it is to look, so that one takes the place of another that ended. */
const ASKED_EVERY = 2500;

/** Takes messages for delivery; one that it has already is not delivered twice. */
export type MessageReceiver = Pick<DeliveryQueues, 'add'>;

/** What was read for all hooks. */
interface Found extends FactsOfHooks {
  readonly next: NextSlots;
}

export interface ConditionLookDependencies extends Pick<
  CommonPorts,
  'sharedWork' | 'clock' | 'logger'
> {
  readonly hooks: Pick<HooksInForce, 'known' | 'all' | 'find'>;
  readonly store: Pick<KeptHooks, 'find'>;
  readonly states: KeptHookStates;
  readonly facts: Pick<QueueFactsReader, 'read'>;
  readonly missedSlots: Pick<MissedSlotsReader, 'next' | 'missed'>;
  readonly deliveries: MessageReceiver;
}

/**
 * Looks at the conditions of hooks, on one replica at a time (reach contract, section 17). The change of a state and its
 * messages are stored in one step, and then the messages are handed over, by ids that stay the same: wherever a replica
 * ends, the next look continues, and each change has one message.
 */
export class ConditionLook implements RepeatedWork {
  readonly name = 'conditions of hooks';
  readonly failure = { line: 'The conditions of hooks could not be read', pause: ASKED_EVERY };
  readonly #dependencies: ConditionLookDependencies;
  /** Whether nothing is left of hooks that named conditions before. */
  #isSettled = false;

  constructor(dependencies: ConditionLookDependencies) {
    this.#dependencies = dependencies;
  }

  async round(): Promise<number> {
    const { hooks, sharedWork } = this.#dependencies;
    await hooks.known();
    const looking = hooks.all().filter(isLooking);
    if (looking.length > 0) this.#isSettled = false;
    if (!this.#isSettled && (await sharedWork.claim('hook-look', INTERVAL))) {
      await this.#look(looking);
      this.#isSettled = looking.length === 0;
    }
    return ASKED_EVERY;
  }

  async #look(looking: readonly Hook[]): Promise<void> {
    const { states } = this.#dependencies;
    const ids = await states.ids();
    if (looking.length > 0) {
      const found = await this.#found(looking);
      for (const hook of looking) await this.#trying(hook.id, () => this.#lookFor(hook, found));
    }
    const looked = new Set(looking.map(({ id }) => id));
    for (const id of ids) {
      if (!looked.has(id)) await this.#trying(id, () => this.#settle(id));
    }
  }

  /** What the hooks ask for, read once for all of them. */
  async #found(looking: readonly Hook[]): Promise<Found> {
    const { facts, missedSlots } = this.#dependencies;
    const { at, of } = await facts.read();
    const queues = new Set(
      looking.filter(asksForMissed).flatMap((hook) => of(hook).map(({ queue }) => queue)),
    );
    return { at, of, next: await missedSlots.next([...queues]) };
  }

  /** What goes wrong for one hook does not keep others from theirs. */
  async #trying(hook: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (isStoreUnavailable(error)) throw error;
      this.#dependencies.logger.error(this.failure.line, { hook, error });
    }
  }

  async #lookFor(hook: Hook, found: Found): Promise<void> {
    const { states, clock } = this.#dependencies;
    const { at, of } = found;
    // Each hook is a turn of its own: a look at thousands of queues takes some milliseconds.
    await clock.turn();
    const before = stateOf(hook, await states.find(hook.id));
    await this.#handOver(hook.id, before);
    const facts = of(hook);
    const slots = await this.#missedSlots(hook, found, before);
    const after = await states.put(hook.id, (stored) => {
      const state = stateOf(hook, stored);
      if (isOutdated(state, at)) return undefined;
      const { held, messages } = conditionsAfter(state.conditions, facts, hook, at);
      const missed = missedAfter(state.missed, slots?.slots ?? [], at);
      const { schedulersSeenAt = at } = state;
      return stateAfterLook(hook, state, {
        conditions: held,
        missed: missed.missed,
        lookedAt: at,
        ...(slots !== undefined && { schedulersSeenAt: slots.areMore ? schedulersSeenAt : at }),
        messages: [...messages, ...missed.messages],
      });
    });
    if (after !== undefined) await this.#handOver(hook.id, after);
  }

  /** @returns undefined for a hook that does not ask. */
  async #missedSlots(
    hook: Hook,
    { at, of, next }: Found,
    { missed, schedulersSeenAt }: HookState,
  ): Promise<FoundSlots | undefined> {
    if (!asksForMissed(hook)) return undefined;
    const queues = of(hook).map(({ queue }) => queue);
    const after = hook.when?.missed ?? MISSED_AFTER;
    const times = { now: at, before: schedulersSeenAt ?? at };
    return this.#dependencies.missedSlots.missed(queues, next, after, missed, times);
  }

  /**
   * Deals with the state of a hook that looks at nothing. What it reported is over, unless it is paused: then it makes no
   * messages, and what passes meanwhile does not count.
   */
  async #settle(id: string): Promise<void> {
    const { hooks, store, states, clock } = this.#dependencies;
    const hook = hooks.find(id);
    if (hook === undefined) {
      // It may be too new to be known here.
      if ((await store.find(id)) === undefined) await states.remove(id);
      return;
    }
    if (!hook.paused) {
      await this.#lookFor(hook, { at: clock.now(), of: () => [], next: new Map() });
      return;
    }
    const state = await states.change(id, (stored) => {
      if (stored.schedulersSeenAt === undefined) return undefined;
      return without(stored, 'schedulersSeenAt');
    });
    if (state !== undefined) await this.#handOver(id, stateOf(hook, state));
  }

  async #handOver(id: string, { outbox }: HookState): Promise<void> {
    if (outbox.length === 0) return;
    const { deliveries, states } = this.#dependencies;
    await deliveries.add(id, outbox);
    await states.change(id, (state) => stateAfterHandover(state, outbox));
  }
}

/** Whether a hook asks for looks. */
function isLooking(hook: Hook): boolean {
  if (hook.paused) return false;
  return conditionsNamed(hook).length > 0 || asksForMissed(hook);
}

function asksForMissed(hook: Hook): boolean {
  return eventsOf(hook).has('scheduler.missed');
}
