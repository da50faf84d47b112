import type { Caller } from '../../domain/access/caller.ts';
import { existing, invalidRequest, notFound } from '../../domain/errors.ts';
import { groupIdShape } from '../../domain/groups/group-id.ts';
import {
  groupSettingsShape,
  type GroupDefaults,
  type GroupSettings,
} from '../../domain/groups/group-settings.ts';
import {
  emptyGroup,
  type Group,
  type GroupStanding,
  groupShape,
} from '../../domain/groups/group.ts';
import { checkGroupsQuery, type GroupsQuery } from '../../domain/groups/groups-query.ts';
import { holdOrderShape, type HoldOrder } from '../../domain/queues/hold.ts';
import type { QueueName } from '../../domain/queues/queue-name.ts';
import { waitingAge } from '../../domain/queues/waiting-age.ts';
import { checkShape } from '../../domain/values/check-shape.ts';
import { object, required, integer, listOf, type Shaped } from '../../domain/values/shape.ts';
import { stopBy, type StopOrder } from '../../domain/values/stop.ts';
import { groupDefaults } from '../policies/group-defaults.ts';
import type { PoliciesInForce } from '../policies/policies.ts';
import type { ClockPort } from '../ports/clock-port.ts';
import type { CommonPorts } from '../ports/common-ports.ts';
import type { GroupStorePort } from '../ports/group-store-port.ts';
import type { ReplicaSignalsPort } from '../ports/replica-signals-port.ts';
import type { WorkersInForce } from '../kept/known-workers.ts';
import { onceChanged } from '../running/once-changed.ts';
import { GroupLists } from './group-lists.ts';

export const groupsPageShape = object('GroupsPage', {
  total: required(integer(0), 'How many groups there are on all pages'),
  groups: required(listOf(groupShape), 'The groups of the page'),
});

export type GroupsPage = Shaped<typeof groupsPageShape>;

export interface GroupsDependencies extends Pick<CommonPorts, 'signals' | 'clock'> {
  readonly store: GroupStorePort;
  readonly workers: WorkersInForce;
  readonly policies: PoliciesInForce;
}

/** The operations on the groups of a queue (platform contract, section 13). */
export class Groups {
  readonly #store: GroupStorePort;
  readonly #workers: WorkersInForce;
  readonly #policies: PoliciesInForce;
  readonly #signals: ReplicaSignalsPort;
  readonly #clock: ClockPort;
  readonly #lists = new GroupLists((queue) => this.#all(queue));

  constructor({ store, workers, policies, signals, clock }: GroupsDependencies) {
    this.#store = store;
    this.#workers = workers;
    this.#policies = policies;
    this.#signals = signals;
    this.#clock = clock;
  }

  /**
   * The groups that have unfinished jobs or settings, or are paused or held.
   *
   * @param gone aborts when the caller has left: then the list is not read on for it.
   * @throws DomainError `invalid-request` naming the number.
   */
  async list(queue: QueueName, query: GroupsQuery, gone: AbortSignal): Promise<GroupsPage> {
    checkGroupsQuery(query);
    const { total, groups } = await this.#lists.list(queue, query, gone);
    return { total, groups: groups.map((group) => this.#shown(group)) };
  }

  /** @throws DomainError `group-not-found` for a group without jobs and settings. */
  async read(queue: QueueName, id: string): Promise<Group> {
    const group = existing(await this.#store.find(queue, id, await this.#defaults(queue)), 'group');
    return this.#shown(group);
  }

  /**
   * Replaces the settings of a group. @returns the group.
   *
   * @throws DomainError `invalid-request` naming the field.
   */
  async save(queue: QueueName, id: string, settings: GroupSettings): Promise<Group> {
    this.#check(id, settings);
    await this.#store.saveSettings(queue, id, settings);
    this.#mayStart(queue);
    return onceChanged(this.read(queue, id));
  }

  /** The group as it is, with other settings; nothing is stored. @throws DomainError `invalid-request`. */
  async preview(queue: QueueName, id: string, settings: GroupSettings): Promise<Group> {
    this.#check(id, settings);
    const group = await this.#store.find(queue, id, await this.#defaults(queue));
    return this.#shown({ ...(group ?? emptyGroup(id)), settings });
  }

  /** @throws DomainError `group-not-found` when it has no settings. */
  async remove(queue: QueueName, id: string): Promise<void> {
    const isRemoved = await this.#store.removeSettings(queue, id);
    this.#mayStart(queue);
    if (!isRemoved) throw notFound('group');
  }

  /**
   * Starts no job of the group until it is resumed; running calls continue.
   *
   * @throws DomainError `invalid-request` naming the field.
   */
  async pause(queue: QueueName, id: string, order: StopOrder, caller: Caller): Promise<void> {
    checkGroupId(id);
    await this.#store.pause(queue, id, stopBy(caller, order, this.#clock.now()));
  }

  async resume(queue: QueueName, id: string): Promise<void> {
    checkGroupId(id);
    await this.#store.resume(queue, id);
    this.#mayStart(queue);
  }

  /**
   * Starts no job of the group for a while. @returns until when (epoch ms).
   *
   * @throws DomainError `invalid-request` naming the field.
   */
  hold(queue: QueueName, id: string, order: HoldOrder, caller: Caller): Promise<number> {
    checkGroupId(id);
    const stop = stopBy(caller, order, this.#clock.now(), holdOrderShape);
    return this.#store.hold(queue, id, order.for, stop);
  }

  async endHold(queue: QueueName, id: string): Promise<void> {
    checkGroupId(id);
    await this.#store.endHold(queue, id);
    this.#mayStart(queue);
  }

  #check(id: string, settings: GroupSettings): void {
    checkGroupId(id);
    checkShape(groupSettingsShape, settings, '');
    if (settings.expires !== undefined && settings.expires <= this.#clock.now()) {
      throw invalidRequest('expires must be in the future', 'expires');
    }
  }

  #shown({ waitingSince, ...group }: GroupStanding): Group {
    const { id, waiting, active, delayed, ...rest } = group;
    const oldestWaiting = waitingAge(waitingSince ?? undefined, this.#clock.now());
    return { id, waiting, active, delayed, oldestWaiting, ...rest };
  }

  /** Makes replicas that wait for the end of a hold or a limit ask again. */
  #mayStart(queue: QueueName): void {
    this.#signals.send('opened', { queue });
  }

  async *#all(queue: QueueName): AsyncGenerator<readonly GroupStanding[]> {
    yield* this.#store.list(queue, await this.#defaults(queue));
  }

  async #defaults(queue: QueueName): Promise<GroupDefaults | undefined> {
    const worker = await this.#workers.workerOf(queue);
    return groupDefaults(queue, worker, this.#policies);
  }
}

function checkGroupId(id: string): void {
  if (!groupIdShape.accepts(id)) throw invalidRequest(`group must ${groupIdShape.must}`, 'group');
}
