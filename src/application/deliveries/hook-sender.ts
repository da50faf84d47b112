import { keptOrMade } from '../../domain/values/kept-or-made.ts';
import { messageOf } from '../../domain/deliveries/delivered-message.ts';
import { DELIVERY_OPTIONS } from '../../domain/deliveries/delivery-options.ts';
import { failingIdOf, failingMessage, hooksToTell } from '../../domain/hooks/failing-hook.ts';
import { hookEndpoint } from '../../domain/hooks/hook-endpoint.ts';
import type { Hook } from '../../domain/hooks/hook.ts';
import { failureCause } from '../../domain/jobs/failure-cause.ts';
import type { Job } from '../../domain/jobs/job.ts';
import { hookOfQueue } from '../../domain/queues/own-queue.ts';
import type { Endpoint } from '../../domain/calls/endpoint.ts';
import { isObject, type Json } from '../../domain/values/json.ts';
import { cutToLength } from '../../domain/values/text.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { CommonPorts } from '../ports/common-ports.ts';
import type { HookFormatPort } from '../ports/hook-format-port.ts';
import type { HooksInForce } from '../ports/hooks-in-force.ts';
import type { QueuePort } from '../ports/queue-port.ts';
import type { DeliveryQueues } from './delivery-queues.ts';
import type { Outgoing, Sender } from './outgoing-message.ts';

/** How long (ms) a cause of failures counts as known. */
const KNOWN_FOR = 86_400_000;

/** The longest cause that is remembered, in characters. */
const LONGEST_CAUSE = 500;

export interface HookSenderDependencies extends Pick<CommonPorts, 'formats' | 'clock'> {
  readonly hooks: Pick<HooksInForce, 'all' | 'find'>;
  readonly deliveries: Pick<DeliveryQueues, 'add'>;
  readonly queues: Pick<QueuePort, 'add'>;
}

/** Sends the messages of hooks (reach contract, section 17). */
export class HookSender implements Sender {
  readonly pausesWhenGone = true;
  readonly #hooks: HookSenderDependencies['hooks'];
  readonly #deliveries: HookSenderDependencies['deliveries'];
  readonly #queues: HookSenderDependencies['queues'];
  readonly #clock: ClockPort;
  readonly #formats: HookFormatPort;
  /** Made once for each hook as it was read: a client keeps what it needs of an endpoint by the object. */
  readonly #endpoints = new WeakMap<Hook, Endpoint>();

  constructor(dependencies: HookSenderDependencies) {
    this.#hooks = dependencies.hooks;
    this.#deliveries = dependencies.deliveries;
    this.#queues = dependencies.queues;
    this.#clock = dependencies.clock;
    this.#formats = dependencies.formats;
  }

  async outgoing(delivery: Job): Promise<Outgoing> {
    const hook = this.#hookOf(delivery);
    if (hook === undefined) return { kind: 'fail', reason: 'The hook was not found' };
    if (hook.unreadable !== undefined) return { kind: 'fail', reason: hook.unreadable };
    const message = messageOf(delivery.data);
    if (hook.distinct === 'cause' && message.kind === 'job' && !isFirst(delivery.data)) {
      await this.#addFirst(delivery, message.value ?? '');
      return { kind: 'drop' };
    }
    return {
      kind: 'send',
      endpoint: this.#endpointOf(hook),
      message: { identity: delivery, ...this.#formats.written(message, hook, delivery.id) },
    };
  }

  /** Says so to the hooks that want to know, and of no failure of theirs. */
  async failing(delivery: Job, reason: string): Promise<void> {
    const failing = hookOfQueue(delivery.queue);
    if (failing === undefined || delivery.name === 'hook.failing') return;
    const about = messageOf(delivery.data);
    const message = failingMessage({
      at: this.#clock.now(),
      failing,
      delivery: delivery.id,
      reason,
      ...(about.kind === 'job' && {
        job: { queue: about.queue, id: about.job.id, group: about.job.group },
      }),
    });
    for (const { id } of hooksToTell(failing, this.#hooks.all())) {
      await this.#deliveries.add(id, [{ id: failingIdOf(id, delivery.id), message }]);
    }
  }

  #hookOf({ queue }: Job): Hook | undefined {
    const id = hookOfQueue(queue);
    return id === undefined ? undefined : this.#hooks.find(id);
  }

  #endpointOf(hook: Hook): Endpoint {
    return keptOrMade(this.#endpoints, hook, hookEndpoint);
  }

  /**
   * Adds a delivery in place of this one unless a failure of the same cause was reported within a day. The queue itself
   * decides that, in one step over all replicas.
   */
  async #addFirst({ queue, id, name, data }: Job, reason: string): Promise<void> {
    const cause = cutToLength(failureCause(reason), LONGEST_CAUSE);
    const opts = {
      ...DELIVERY_OPTIONS,
      jobId: `${id}.first`,
      deduplication: { id: cause, ttl: KNOWN_FOR },
    };
    const first: Json = { ...(isObject(data) ? data : {}), isFirst: true };
    await this.#queues.add(queue, [{ name, data: first, opts }]);
  }
}

/** Whether the delivery is that of the first failure of its cause. */
function isFirst(data: Json): boolean {
  return isObject(data) && data['isFirst'] === true;
}
