import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type {
  AddedToQueues,
  AddToQueues,
  QueuesRecalled,
  TopicPort,
} from '../../../../application/ports/topic-port.ts';
import type { AddIdentity } from '../../../../domain/jobs/add-identity.ts';
import type { NewJob } from '../../../../domain/jobs/job.ts';
import { TOPIC_QUEUE } from '../../../../domain/queues/own-queue.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { Existing } from '../../../../domain/transitions/add-to-queues.ts';
import type { Json } from '../../../../domain/values/json.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { isDeduplicated } from '../jobs/add-call.ts';
import { claimed, recalled } from '../jobs/remembered-adds.ts';
import { StagedAdding } from '../jobs/staged-adding.ts';
import { MOST_SPECIAL_JOBS_PER_RUN } from '../jobs/staged-limits.ts';
import type {
  AddOutcome,
  Excess,
  Existing as Found,
  FullGroups,
  Recalled,
} from '../scripts/adds.ts';
import { addAtOnce, type JobTerms } from './adding-at-once.ts';

/** What the messages of topics become. */
export class RedisTopics implements TopicPort {
  readonly #store: StoreCommands;
  readonly #clock: ClockPort;
  readonly #adding: StagedAdding;

  constructor(store: StoreCommands, clock: ClockPort) {
    this.#store = store;
    this.#clock = clock;
    this.#adding = new StagedAdding(store);
  }

  async add(add: AddToQueues): Promise<AddedToQueues> {
    const { jobs } = add;
    const queues = [...new Set(jobs.map(({ queue }) => queue))];
    const answer = await this.#outcome(add);
    switch (answer[0]) {
      case 'added':
        return { kind: 'added', existing: existingOf(answer[2]) };
      case 'full':
        return lackingRoom(queues, answer[2], answer[3]);
      case 'group':
        return lackingRoom(queues, answer[3], answer[4]);
      case 'repeated':
      case 'other':
      case 'running':
        return shownRecall(answer);
      default:
        throw new Error(`An add to queues cannot end with ${answer[0]}`);
    }
  }

  async recall(identity: AddIdentity): Promise<QueuesRecalled | undefined> {
    const known = await recalled(this.#store, this.#store.keysOf(TOPIC_QUEUE), identity);
    return known && shownRecall(known);
  }

  async #outcome({ jobs, once, isDryRun, ...limits }: AddToQueues): Promise<AddOutcome> {
    const identity = once && { ...once.identity, defaults: JSON.stringify(once.origin) };
    const terms: JobTerms = {
      ...limits,
      identity,
      home: TOPIC_QUEUE,
      isDry: isDryRun,
      timestamp: this.#clock.now(),
      what: 'an add to queues',
    };
    const isSmall = jobs.length <= MOST_SPECIAL_JOBS_PER_RUN;
    if (isSmall && !jobs.some(({ job }) => mayStandFor(job))) {
      const alone = { parent: undefined, onFailure: 'wait', isParent: false } as const;
      return addAtOnce(
        this.#store,
        jobs.map((each) => ({ ...each, ...alone })),
        terms,
      );
    }
    if (identity !== undefined) {
      const known = await claimed(this.#store, this.#store.keysOf(TOPIC_QUEUE), identity);
      if (known !== undefined) return known;
    }
    const toStage = jobs.map((each) => ({ ...each, isParent: false }));
    return this.#adding.add({ jobs: toStage, isFlow: false, ...terms });
  }
}

function lackingRoom(
  queues: readonly QueueName[],
  excess: Excess,
  full: FullGroups,
): AddedToQueues {
  return {
    kind: 'full',
    queues: excess.map(([number, jobs]) => ({
      queue: queues[number - 1] as QueueName,
      excess: jobs,
    })),
    groups: full.map(([position, waiting]) => ({ position, waiting })),
  };
}

/** Whether another job may be there in its place. */
function mayStandFor(job: NewJob): boolean {
  return job.opts.jobId !== undefined || isDeduplicated(job);
}

function existingOf(found: readonly Found[]): Existing {
  return new Map(
    found.map(([position, id, isDeduplicated]) => [
      position,
      { id, isDeduplicated: isDeduplicated === 1 },
    ]),
  );
}

function shownRecall(known: Recalled): QueuesRecalled {
  if (known[0] !== 'repeated') return { kind: known[0] };
  const [kind, , , existing, origin = 'null'] = known;
  return { kind, origin: JSON.parse(origin) as Json, existing: existingOf(existing) };
}
