import { keptOrMade } from '../values/kept-or-made.ts';
import type { CallFigures } from '../calls/call-figures.ts';
import type { LatestCall } from '../calls/latest-calls.ts';
import { carriesValue } from '../events/event-details.ts';
import { REMOVED_EVENT, withoutDetail, type KeptEvent } from '../events/kept-event.ts';
import { TOPIC_QUEUE } from '../queues/own-queue.ts';
import type { QueueName } from '../queues/queue-name.ts';
import { isObject, parsedJson, type Json } from '../values/json.ts';
import { hasAll, type Erasure, type Scalar } from './erasure.ts';
import type { FailureGroup } from './failures.ts';
import { failureCause } from './failure-cause.ts';

/** A value of the filter counts wherever a text has it only if it is this long: shorter ones occur in any text. */
const SHORTEST_VALUE = 4;

const ERASED = '…';

/**
 * What an erasure removes besides jobs: whatever belongs to a job that it erases, and, where that job may be gone, what
 * holds all values of the filter.
 */
export class Traces {
  readonly #filter: Erasure['filter'];
  readonly #removesAll: boolean;
  readonly #isOfAllStates: boolean;
  readonly #texts: readonly string[];
  readonly #isInScope: (queue: string) => boolean;
  readonly #isOfAllQueues: boolean;
  readonly #erased = new Map<string, Set<string>>();
  readonly #left = new Map<string, Set<string>>();

  /**
   * @param isInScope whether the erasure concerns a queue.
   * @param isOfAllQueues whether it concerns what belongs to no queue too.
   */
  constructor(
    { filter, mode, isOfAllStates }: Pick<Erasure, 'filter' | 'mode' | 'isOfAllStates'>,
    isInScope: (queue: string) => boolean,
    isOfAllQueues = true,
  ) {
    this.#filter = filter;
    this.#removesAll = mode === 'remove';
    this.#isOfAllStates = isOfAllStates;
    this.#isInScope = isInScope;
    this.#isOfAllQueues = isOfAllQueues;
    this.#texts = filter.kind === 'data' ? filter.fields.flatMap((each) => textOf(each.value)) : [];
  }

  /** Notes a job that is erased. */
  erase(queue: QueueName, id: string): void {
    keptOrMade(this.#erased, queue, () => new Set()).add(id);
  }

  /** Notes a job that matches, but stays. */
  leave(queue: QueueName, id: string): void {
    keptOrMade(this.#left, queue, () => new Set()).add(id);
  }

  /** The jobs of a queue that are erased. */
  erasedIn(queue: QueueName): ReadonlySet<string> {
    return this.#erased.get(queue) ?? new Set();
  }

  /** Whether jobs of a queue are erased, or were before; of any queue for that of topics. */
  areIn(queue: QueueName): boolean {
    const isAny = queue === TOPIC_QUEUE && this.#erased.size > 0;
    return isAny || this.#filter.kind === 'ids' || this.erasedIn(queue).size > 0;
  }

  isOfJob(queue: string, id: string, group?: string): boolean {
    if (this.#left.get(queue)?.has(id) === true) return false;
    if (this.#erased.get(queue)?.has(id) === true) return true;
    const filter = this.#filter;
    if (filter.kind === 'data' || filter.queue !== queue) return false;
    if (filter.kind === 'ids') return filter.ids.has(id);
    return this.#isOfAllStates && group === filter.group;
  }

  /**
   * The rest of a kept event: all of an event that is not meant, an event without values, or a gap where the id of the
   * job says what the filter does.
   */
  eventWithout(queue: QueueName, event: KeptEvent): KeptEvent {
    const { name, jobId, group, detail } = event;
    if (jobId !== undefined && this.#left.get(queue)?.has(jobId) === true) return event;
    const isOfJob = jobId !== undefined && this.isOfJob(queue, jobId, group);
    const hasValue = detail !== undefined && carriesValue(name);
    if (!isOfJob && !(hasValue && this.isIn(String(detail)))) return event;
    // The job itself stays, with its id and its group.
    if (isOfJob && !this.#removesAll) return hasValue ? withoutDetail(event) : event;
    if (this.#isNamed(jobId)) return REMOVED_EVENT;
    const left = hasValue || this.#isNamed(detail) ? withoutDetail(event) : event;
    return this.#isNamed(group) ? { ...left, group: undefined } : left;
  }

  /** Whether a group without jobs is left of what is erased: it is the group of the filter, or named by a value of it. */
  isOfGroup(queue: string, group: string): boolean {
    if (!this.#removesAll) return false;
    const filter = this.#filter;
    if (filter.kind === 'group') return filter.queue === queue && filter.group === group;
    return this.#told.some((each) => hasWord(group, each));
  }

  /** @param data those of a message to a hook, or of a call that follows a job. */
  isOfDelivery(data: Json): boolean {
    if (!isObject(data)) return false;
    const { message, queue, id, group, value } = data;
    if (isObject(message)) return this.#isOfMessage(message);
    return this.#isOfEnd(queue, id, group, value);
  }

  /** @param data those of any job. */
  isOfCallback(data: Json): boolean {
    const ended = endIn(data);
    if (ended === undefined) return false;
    const { queue, id, returnvalue, failedReason } = ended;
    const value = typeof failedReason === 'string' ? failedReason : JSON.stringify(returnvalue);
    return this.#isOfEnd(queue, id, undefined, value);
  }

  /** Whether a text, which may be JSON, holds all values of the filter. */
  isIn(text: string): boolean {
    if (this.#filter.kind !== 'data') return false;
    const { fields } = this.#filter;
    if (hasAll(fields, parsedJson(text))) return true;
    const isTold = fields.every(({ value }) => String(value).length >= SHORTEST_VALUE);
    return isTold && this.#texts.length > 0 && this.#texts.every((each) => hasWord(text, each));
  }

  /** Whether the text of an erased job holds any of the values. */
  holds(text: string): boolean {
    return this.#texts.some((each) => text.includes(each) || text.includes(escaped(each)));
  }

  /** The latest calls of a queue without what they say of erased jobs. */
  callsWithout(queue: QueueName, calls: readonly LatestCall[]): readonly LatestCall[] {
    return calls
      .filter(({ job }) => !this.#removesAll || !this.isOfJob(queue, job))
      .map((call) => ({
        ...call,
        reason: call.reason && this.#reasonWithout(call.reason, this.isOfJob(queue, call.job)),
      }));
  }

  failuresWithout(queue: QueueName, groups: readonly FailureGroup[]): readonly FailureGroup[] {
    return groups.map((group) => {
      const samples = group.samples.filter((id) => !this.isOfJob(queue, id));
      const isOfErased = samples.length < group.samples.length;
      return {
        ...group,
        cause: this.#reasonWithout(group.cause, false),
        reason: this.#reasonWithout(group.reason, isOfErased),
        samples: this.#removesAll ? samples : group.samples,
      };
    });
  }

  figuresWithout({ lastFailure, ...figures }: CallFigures): CallFigures {
    if (lastFailure === undefined) return figures;
    const reason = this.#reasonWithout(lastFailure.reason, this.#erased.size > 0);
    return { ...figures, lastFailure: { ...lastFailure, reason } };
  }

  get #told(): readonly string[] {
    return this.#texts.filter(({ length }) => length >= SHORTEST_VALUE);
  }

  /** Whether a text of an event is what the filter names, or holds it. */
  #isNamed(text: string | number | undefined): boolean {
    const filter = this.#filter;
    if (text === undefined) return false;
    if (filter.kind === 'ids') return filter.ids.has(String(text));
    const named = filter.kind === 'group' ? [filter.group] : this.#texts;
    return named.some((each) =>
      each.length < SHORTEST_VALUE ? hasWord(String(text), each) : String(text).includes(each),
    );
  }

  #reasonWithout(reason: string, isOfErased: boolean): string {
    const left = isOfErased ? failureCause(reason) : reason;
    return this.#told.reduce((text, each) => text.replaceAll(each, ERASED), left);
  }

  /** Only the failure of a delivery has a text that others wrote. */
  #isOfMessage({ job, reason }: Readonly<Record<string, unknown>>): boolean {
    if (isObject(job)) return this.#isOfEnd(job['queue'], job['id'], job['group'], reason);
    return this.#isOfAllQueues && typeof reason === 'string' && this.isIn(reason);
  }

  #isOfEnd(queue: unknown, id: unknown, group: unknown, value: unknown): boolean {
    if (typeof queue !== 'string' || typeof id !== 'string' || !this.#isInScope(queue))
      return false;
    if (this.isOfJob(queue, id, typeof group === 'string' ? group : undefined)) return true;
    return typeof value === 'string' && this.isIn(value);
  }
}

/** Whether the data are those of a job that a callback adds. */
export function isCallbackEvent(data: Json | undefined): boolean {
  return data !== undefined && endIn(data) !== undefined;
}

function endIn(data: Json): Readonly<Record<string, unknown>> | undefined {
  if (!isObject(data) || !isObject(data['data'])) return undefined;
  return data['type'] === 'job.completed' || data['type'] === 'job.failed'
    ? data['data']
    : undefined;
}

/** How a text may have it; nothing for a value that says nothing by itself. */
function textOf(value: Scalar): readonly string[] {
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Whether a text has a part, as it is or within JSON, that no letter or digit continues. */
function hasWord(text: string, part: string): boolean {
  return [part, escaped(part)].some((each) => {
    for (let at = text.indexOf(each); at >= 0; at = text.indexOf(each, at + 1)) {
      const around = [text.charAt(at - 1), text.charAt(at + each.length)];
      if (!around.some((character) => /[\p{L}\p{N}]/u.test(character))) return true;
    }
    return false;
  });
}
