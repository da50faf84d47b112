import type { QueueName } from '../queues/queue-name.ts';
import { CONDITIONS, type Condition, type Measure } from './condition-measures.ts';
import { CONDITION_EVENTS, type ConditionEvent } from './hook-events.ts';
import { eventsOf, type Hook } from './hook.ts';
import { MOST_NAMED, type AffectedQueue, type ConditionMessage } from './hook-message.ts';
import type { QueueFacts } from './queue-facts.ts';

/** A condition of a queue that holds. Times are epoch ms. */
export interface HeldCondition {
  readonly queue: QueueName;
  /** When it began. */
  readonly since: number;
  /** When it was last reported; absent until it has held for long enough. */
  readonly reportedAt?: number;
}

/** The conditions that hold, by their events. Those that end before they are reported leave nothing behind. */
export type HeldConditions = Readonly<Partial<Record<ConditionEvent, readonly HeldCondition[]>>>;

/** The terms of a hook that decide what is reported. */
export type ConditionTerms = Pick<Hook, 'events' | 'when' | 'for' | 'repeat'>;

/** What follows from a look. */
export interface ConditionChanges {
  readonly held: HeldConditions;
  readonly messages: readonly ConditionMessage[];
}

/** The conditions that a hook names and whose needs are given. */
export function conditionsNamed(hook: Pick<Hook, 'events' | 'when'>): readonly ConditionEvent[] {
  const events = eventsOf(hook);
  return CONDITION_EVENTS.filter((event) => events.has(event));
}

/**
 * What follows from a look at the queues of a hook (reach contract, section 17). A condition is reported once when it
 * has held for `for`, again after each `repeat`, and once when it is over, which it also is when its queue is gone or
 * when the hook does not name it any more. What several queues have in common is one message.
 *
 * @param facts those of all queues that the hook is about.
 */
export function conditionsAfter(
  before: HeldConditions,
  facts: readonly QueueFacts[],
  terms: ConditionTerms,
  now: number,
): ConditionChanges {
  const named = new Set(conditionsNamed(terms));
  const held: Partial<Record<ConditionEvent, readonly HeldCondition[]>> = {};
  const messages: ConditionMessage[] = [];
  for (const event of CONDITION_EVENTS) {
    const known = before[event] ?? [];
    if (known.length === 0 && !named.has(event)) continue;
    const look = new LookAtCondition(event, known, terms, now);
    if (named.has(event)) for (const each of facts) look.at(each);
    look.endOthers();
    if (look.held.length > 0) held[event] = look.held;
    messages.push(...look.messages());
  }
  return { held, messages };
}

/** The look at one condition in all queues. */
class LookAtCondition {
  readonly held: HeldCondition[] = [];
  readonly #event: ConditionEvent;
  readonly #condition: Condition;
  readonly #threshold: number | null;
  /** Those that the look did not come to yet. */
  readonly #known: Map<QueueName, HeldCondition>;
  readonly #terms: ConditionTerms;
  readonly #now: number;
  readonly #begun: AffectedQueue[] = [];
  readonly #ended: AffectedQueue[] = [];

  constructor(
    event: ConditionEvent,
    known: readonly HeldCondition[],
    terms: ConditionTerms,
    now: number,
  ) {
    this.#event = event;
    this.#condition = CONDITIONS[event];
    this.#threshold = this.#condition.threshold(terms.when ?? {});
    this.#known = new Map(known.map((each) => [each.queue, each]));
    this.#terms = terms;
    this.#now = now;
  }

  at(facts: QueueFacts): void {
    const { queue } = facts;
    const measure = this.#condition.measure(facts, this.#terms.when ?? {});
    const known = this.#known.get(queue);
    if (known !== undefined) this.#known.delete(queue);
    if (known?.reportedAt === undefined) this.#unreported(queue, known, measure);
    else if (measure.isOver || wasInterrupted(known, measure)) this.#over(known, measure);
    else this.#lasts(known, known.reportedAt, measure);
  }

  /** Ends the conditions of queues that are gone, or that the hook is not about any more. */
  endOthers(): void {
    for (const { queue, since, reportedAt } of this.#known.values()) {
      if (reportedAt !== undefined) this.#ended.push({ queue, value: null, since });
    }
  }

  messages(): readonly ConditionMessage[] {
    return [...this.#message(false, this.#begun), ...this.#message(true, this.#ended)];
  }

  #unreported(queue: QueueName, known: HeldCondition | undefined, measure: Measure): void {
    if (!measure.isBeyond) return;
    const { since = this.#now, interruptedAt = -Infinity } = measure;
    const began = Math.max(known?.since ?? since, interruptedAt);
    const held = known?.since === began ? known : { queue, since: began };
    if (this.#now - began >= this.#reportedFrom) this.#report(held, measure);
    else this.held.push(held);
  }

  #over(known: HeldCondition, measure: Measure): void {
    const { queue, since } = known;
    this.#ended.push({ queue, since, value: this.#valueOf(known, measure) });
    const { isBeyond, interruptedAt } = measure;
    // It began anew after the interruption.
    if (isBeyond && interruptedAt !== undefined) this.held.push({ queue, since: interruptedAt });
  }

  #lasts(known: HeldCondition, reportedAt: number, measure: Measure): void {
    const { repeat } = this.#terms;
    if (repeat !== null && this.#now - reportedAt >= repeat) this.#report(known, measure);
    else this.held.push(known);
  }

  #report(held: HeldCondition, measure: Measure): void {
    const { queue, since } = held;
    this.#begun.push({ queue, since, value: this.#valueOf(held, measure) });
    this.held.push({ queue, since, reportedAt: this.#now });
  }

  /** How long (ms) a condition must have lasted before it is reported. */
  get #reportedFrom(): number {
    const duration = this.#condition.isDuration === true ? (this.#threshold ?? 0) : 0;
    return duration + this.#terms.for;
  }

  #valueOf({ since }: HeldCondition, { value }: Measure): number | null {
    return this.#condition.isDuration === true ? this.#now - since : value;
  }

  #message(isOver: boolean, affected: readonly AffectedQueue[]): readonly ConditionMessage[] {
    if (affected.length === 0) return [];
    const worstFirst = affected.toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0));
    const queues = worstFirst.slice(0, MOST_NAMED);
    return [
      {
        kind: 'condition',
        type: this.#event,
        isOver,
        at: this.#now,
        queues,
        more: affected.length - queues.length,
        threshold: this.#threshold,
      },
    ];
  }
}

function wasInterrupted({ since }: HeldCondition, { interruptedAt }: Measure): boolean {
  return interruptedAt !== undefined && interruptedAt > since;
}
