import { DomainError } from '../../domain/errors.ts';
import { PUSH_QUEUE } from '../../domain/messages/push-id.ts';
import { isPushWorker } from '../../domain/messages/push-queue.ts';
import { ANY_ORIGIN } from '../../domain/policies/callback-policy.ts';
import type { Policy } from '../../domain/policies/policy.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import type { WorkerInput } from '../../domain/workers/worker.ts';
import type { KeptWorkers } from '../kept/workers.ts';
import type { WorkersInForce } from '../kept/known-workers.ts';
import type { Policies } from '../policies/policies.ts';
import type { QueueView } from '../queues/queue-view.ts';
import type { Workers } from '../workers/workers.ts';

/** How many messages that were published to no queue are called at a time. */
const PUBLISHED_AT_ONCE = 100;

/** A message fails by what its endpoint answers, and not because replicas were killed. */
const MOST_STALLS = 1000;

export interface PushQueuesDependencies {
  readonly policies: Pick<Policies, 'areKnown' | 'known' | 'of' | 'find' | 'change' | 'refresh'>;
  readonly workers: WorkersInForce;
  readonly workerStore: Pick<KeptWorkers, 'find'>;
  readonly view: Pick<QueueView, 'of'>;
}

/** The queues of pushed messages, whose workers have no URL of their own (further contract, section 24). */
export class PushQueues {
  readonly #parts: PushQueuesDependencies;
  readonly #registration: Pick<Workers, 'register'>;

  constructor(parts: PushQueuesDependencies, registration: Pick<Workers, 'register'>) {
    this.#parts = parts;
    this.#registration = registration;
  }

  /** Makes the queue on its first use. One that was made before costs no command. @throws DomainError `queue-taken`. */
  async ready(queue: QueueName): Promise<void> {
    if (!this.#parts.policies.areKnown) await this.#parts.policies.known();
    const known = await this.#parts.workers.workerOf(queue);
    const isAllowed = this.#parts.policies.of(queue)?.endpoints !== undefined;
    if (known !== undefined && isPushWorker(known) && isAllowed) return;
    if (await this.exists(queue)) await this.#parts.policies.refresh();
    else await this.make(queue, queue === PUSH_QUEUE ? PUBLISHED_AT_ONCE : 1);
  }

  /** Whether there is the queue, made here. @throws DomainError `queue-taken` for one that has another purpose. */
  async exists(queue: QueueName): Promise<boolean> {
    // Another request may make the queue at this moment: its worker and policy are read after the queue was seen.
    const [viewed] = await this.#parts.view.of([queue]);
    const [worker, policy] = await Promise.all([
      this.#parts.workerStore.find(queue),
      this.#parts.policies.find(queue),
    ]);
    if (worker !== undefined && isPushWorker(worker)) return policy?.endpoints !== undefined;
    const isHalfMade = policy?.endpoints?.origins.includes(ANY_ORIGIN) === true;
    if (worker === undefined && (isHalfMade || viewed === undefined)) return false;
    throw new DomainError('queue-taken', `The queue ${queue} has a worker or jobs of its own`);
  }

  /** Makes the queue, or changes how many of its messages are called at a time. @throws DomainError `queue-taken`. */
  async make(queue: QueueName, parallelism: number): Promise<void> {
    await this.exists(queue);
    await this.#parts.policies.change(queue, (policy = {}) =>
      pushPolicy(policy, queue, parallelism),
    );
    const worker: WorkerInput = {
      queue,
      endpoint: { url: null, method: 'post', body: 'data' },
      opts: { concurrency: parallelism, maxStalledCount: MOST_STALLS },
    };
    await this.#registration.register(worker);
  }
}

/** The messages of a queue go one after the other, also when one is tried again, unless it has a parallelism. */
function pushPolicy(policy: Policy, queue: QueueName, parallelism: number): Policy {
  const ordered = queue !== PUSH_QUEUE && parallelism === 1 ? 'skip' : false;
  return { ...policy, endpoints: { origins: [ANY_ORIGIN] }, groups: { ...policy.groups, ordered } };
}
