import { noPolicies } from './no-policies.ts';
import type { Hook } from '../../src/domain/hooks/hook.ts';
import type { HookMessage } from '../../src/domain/hooks/hook-message.ts';
import { messageType, namedQueues } from '../../src/domain/hooks/hook-message.ts';
import type { OutgoingMessage } from '../../src/domain/hooks/hook-state.ts';
import { queuesOf } from '../../src/domain/hooks/hook.ts';
import { ConditionLook, type MessageReceiver } from '../../src/application/hooks/condition-look.ts';
import { EndsReader } from '../../src/application/hooks/ends-reader.ts';
import { MissedSlotsReader } from '../../src/application/hooks/missed-slots-reader.ts';
import { QueueFactsReader } from '../../src/application/hooks/queue-facts-reader.ts';
import type { SharedWorkPort } from '../../src/application/ports/shared-work-port.ts';
import type { KeptHookStates } from '../../src/application/kept/hook-states.ts';
import type { HooksInForce } from '../../src/application/ports/hooks-in-force.ts';
import { QueueNames } from '../../src/application/queues/queue-names.ts';
import { QueueView } from '../../src/application/queues/queue-view.ts';
import { KnownWorkers } from '../../src/application/kept/known-workers.ts';
import { workersInMemory } from './collections.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import { memoryQueueHarness } from './memory-queue-harness.ts';
import { plainHook } from './plain-hook.ts';
import { silentLogger } from './silent-logger.ts';

/** More than the time after which the next look is due. */
export const LOOK = 10_000;

/** Hooks that a test sets. */
class TestHooks implements HooksInForce {
  hooks: readonly Hook[] = [];

  known(): Promise<void> {
    return Promise.resolve();
  }

  all(): readonly Hook[] {
    return this.hooks;
  }

  find(id: string): Hook | undefined {
    return this.hooks.find((hook) => hook.id === id);
  }

  watching(queue: QueueName): readonly Hook[] {
    return this.hooks.filter(
      (hook) => !hook.paused && (hook.queues === undefined || queuesOf(hook)(queue)),
    );
  }
}

/** Keeps what it was given once, as the queue of a hook does. */
class Receiver implements MessageReceiver {
  readonly #messages = new Map<string, HookMessage>();

  get messages(): readonly HookMessage[] {
    return [...this.#messages.values()];
  }

  add(_: string, deliveries: readonly OutgoingMessage[]): Promise<void> {
    for (const { id, message } of deliveries) {
      if (!this.#messages.has(id)) this.#messages.set(id, message);
    }
    return Promise.resolve();
  }
}

/** The ports at which a look changes something. */
export interface LookPorts {
  readonly states: KeptHookStates;
  readonly deliveries: MessageReceiver;
  readonly sharedWork: SharedWorkPort;
}

/** Queues in memory, and replicas that look at them for hooks. */
export class WatchedQueues {
  readonly harness = memoryQueueHarness();
  readonly hooks = new TestHooks();
  readonly workers = workersInMemory();
  readonly receiver = new Receiver();
  /** The queues to which policies send dead letters. */
  readonly deadLetterQueues = new Set<string>();
  /** What a replica reads of queues. */
  readonly view = this.#view();

  /** The messages so far in short, such as `queue.late.resolved mail`. */
  get told(): readonly string[] {
    return this.receiver.messages.map((message) =>
      [messageType(message), ...namedQueues(message)].join(' '),
    );
  }

  get ports(): LookPorts {
    const { hookStates: states, sharedWork } = this.harness;
    return { states, deliveries: this.receiver, sharedWork };
  }

  hook(fields: Partial<Hook>): void {
    this.hooks.hooks = [{ ...plainHook('on-call'), ...fields }];
  }

  /** What a replica runs. */
  replica({ states, deliveries, sharedWork } = this.ports): ConditionLook {
    const { schedulers, jobParts, queueStandings, figures, clock, hooks } = this.harness;
    return new ConditionLook({
      hooks: this.hooks,
      store: hooks,
      states,
      sharedWork,
      facts: new QueueFactsReader({
        hooks: this.hooks,
        view: this.view,
        standings: queueStandings,
        clock,
        ends: new EndsReader(figures, clock),
      }),
      missedSlots: new MissedSlotsReader(schedulers, jobParts, clock),
      deliveries,
      clock,
      logger: silentLogger,
    });
  }

  /** Has the replica look, once the next look is due. */
  async look(replica: ConditionLook): Promise<void> {
    await this.harness.advance(LOOK);
    await replica.round();
  }

  #view(): QueueView {
    const { queueDirectory, clock } = this.harness;
    const known = new KnownWorkers(this.workers, silentLogger);
    return new QueueView(
      new QueueNames(queueDirectory, this.workers),
      queueDirectory,
      known,
      { ...noPolicies, takesDeadLetters: (queue) => this.deadLetterQueues.has(queue) },
      clock,
      10_000,
    );
  }
}
