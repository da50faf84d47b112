import type { Caller } from '../../domain/access/caller.ts';
import { notFound } from '../../domain/errors.ts';
import type { GroupStanding } from '../../domain/groups/group.ts';
import { flowLimitOf, QUEUE_GROUP } from '../../domain/messages/flow-limit.ts';
import type { LimitSettings } from '../../domain/limits/limit.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { byteOrder } from '../../domain/values/byte-order.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { Groups } from '../groups/groups.ts';
import type { GroupStorePort } from '../ports/group-store-port.ts';
import type { LimitUsePort } from '../ports/limit-use-port.ts';
import { answersInTurns } from '../running/in-turns.ts';
import type { PushJobs } from './push-jobs.ts';
import type { PushQueueList } from './push-queue-list.ts';

/** In how many queues a key is looked up at a time. */
const AT_ONCE = 50;

/** How many keys a list has at most. */
const MOST_LISTED = 1000;

export type FlowControlState = ReturnType<typeof stateOf>;

export interface PushFlowControlsDependencies {
  readonly list: Pick<PushQueueList, 'names'>;
  readonly groups: Pick<Groups, 'pause' | 'resume'>;
  readonly groupStore: Pick<GroupStorePort, 'find' | 'list'>;
  readonly limitUse: Pick<LimitUsePort, 'uses'>;
  readonly pushJobs: Pick<PushJobs, 'groupOfKey'>;
  readonly clock: Pick<ClockPort, 'turn'>;
}

/** The keys of flow control, each of which is a group in each queue that has messages of it, and a limit of them all. */
export class PushFlowControls {
  readonly #dependencies: PushFlowControlsDependencies;

  constructor(dependencies: PushFlowControlsDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws DomainError `group-not-found` for a key without messages. */
  async read(key: string, caller: Caller): Promise<FlowControlState> {
    const { groupStore, pushJobs } = this.#dependencies;
    const found = await this.#inQueues(key, caller, (queue, group) =>
      groupStore.find(queue, group, undefined),
    );
    const states = found.filter((each) => each !== undefined);
    if (states.length === 0) throw notFound('group');
    return stateOf(key, states, (await this.#settingsOf([pushJobs.groupOfKey(key)]))[0]);
  }

  /** The keys with messages, by name. @param search a part of their names. */
  async all(search: string, caller: Caller): Promise<readonly FlowControlState[]> {
    const byKey = new Map<string, GroupStanding[]>();
    for (const queue of await this.#dependencies.list.names(caller)) {
      for await (const piece of this.#dependencies.groupStore.list(queue, undefined)) {
        for (const group of piece) {
          const { id } = group;
          if (id === '' || id === QUEUE_GROUP || !id.includes(search)) continue;
          const known = byKey.get(id);
          if (known !== undefined) known.push(group);
          else if (byKey.size < MOST_LISTED) byKey.set(id, [group]);
        }
      }
    }
    const keys = [...byKey.keys()].sort(byteOrder);
    const settings = await this.#settingsOf(keys);
    return keys.map((key, index) => stateOf(key, byKey.get(key) ?? [], settings[index]));
  }

  /** Calls no message with the key, in any queue that there is, until it is resumed. */
  async pause(key: string, caller: Caller): Promise<void> {
    await this.#inQueues(key, caller, (queue, group) =>
      this.#dependencies.groups.pause(queue, group, {}, caller),
    );
  }

  async resume(key: string, caller: Caller): Promise<void> {
    await this.#inQueues(key, caller, (queue, group) =>
      this.#dependencies.groups.resume(queue, group),
    );
  }

  async #settingsOf(groups: readonly string[]): Promise<readonly (LimitSettings | undefined)[]> {
    const queries = groups.map((group) => ({ name: flowLimitOf(group) }));
    return (await this.#dependencies.limitUse.uses(queries)).map((use) => use?.settings);
  }

  async #inQueues<Answer>(
    key: string,
    caller: Caller,
    ask: (queue: QueueName, group: string) => Promise<Answer>,
  ) {
    const { clock, list, pushJobs } = this.#dependencies;
    const group = pushJobs.groupOfKey(key);
    return answersInTurns(clock, await list.names(caller), AT_ONCE, (queue) => ask(queue, group));
  }
}

/** A flow control key, its limits unless they are forgotten, and how much of it is in use over all queues. */
function stateOf(
  key: string,
  states: readonly GroupStanding[],
  settings: LimitSettings | undefined,
) {
  const sum = (count: (state: GroupStanding) => number): number =>
    states.reduce((total, each) => total + count(each), 0);
  return {
    key,
    settings,
    waiting: sum(({ waiting, delayed }) => waiting + delayed),
    active: sum(({ active }) => active),
    paused: states.every(({ paused }) => paused),
  };
}
