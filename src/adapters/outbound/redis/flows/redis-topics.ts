import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type {
  AddedToQueues,
  AddToQueues,
  QueuesRecalled,
  TopicPort,
} from '../../../../application/ports/topic-port.ts';
import type { AddIdentity } from '../../../../domain/jobs/add-identity.ts';
import { TOPIC_QUEUE } from '../../../../domain/queues/own-queue.ts';
import type { Existing } from '../../../../domain/transitions/add-to-queues.ts';
import type { Json } from '../../../../domain/values/json.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { recalled } from '../jobs/remembered-adds.ts';
import type { Existing as Found, Recalled } from '../scripts/adds.ts';
import { addToQueues, lackingRoom } from './adding-to-queues.ts';

/** What the messages of topics become. */
export class RedisTopics implements TopicPort {
  readonly #store: StoreCommands;
  readonly #clock: ClockPort;

  constructor(store: StoreCommands, clock: ClockPort) {
    this.#store = store;
    this.#clock = clock;
  }

  async add({ jobs, once, isDryRun, ...limits }: AddToQueues): Promise<AddedToQueues> {
    const answer = await addToQueues(this.#store, jobs, false, {
      ...limits,
      identity: once && { ...once.identity, defaults: JSON.stringify(once.origin) },
      home: TOPIC_QUEUE,
      isDry: isDryRun,
      timestamp: this.#clock.now(),
      what: 'an add to queues',
    });
    switch (answer[0]) {
      case 'added':
        return { kind: 'added', existing: existingOf(answer[2]) };
      case 'full':
        return { kind: 'full', ...lackingRoom(answer, jobs) };
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
