/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import { setImmediate } from 'node:timers/promises';
import {
  GROUPS_OF_A_PIECE,
  MOST_DELAYED_COUNTED,
  type GroupStorePort,
} from '../../../../application/ports/group-store-port.ts';
import type { GroupStanding } from '../../../../domain/groups/group.ts';
import type { GroupDefaults, GroupSettings } from '../../../../domain/groups/group-settings.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import {
  endHoldOfGroup,
  holdGroupByHand,
  pauseGroup,
  removeGroupSettings,
  resumeGroup,
  saveGroupSettings,
} from '../../../../domain/transitions/groups/changing.ts';
import {
  delayedOfGroups,
  groupIds,
  groupStandings,
} from '../../../../domain/transitions/groups/standings.ts';
import { byteOrder } from '../../../../domain/values/byte-order.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import { sortedInTurns } from '../../../shared/sorted-in-turns.ts';
import type { MemoryStore } from '../state/memory-store.ts';

/** Groups of jobs in the memory of this process. */
export class MemoryGroups implements GroupStorePort {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  /** In short turns of the event loop. */
  async *list(
    name: QueueName,
    defaults: GroupDefaults | undefined,
  ): AsyncGenerator<readonly GroupStanding[]> {
    const queue = this.#store.find(name);
    if (queue === undefined) return;
    const delayed = delayedOfGroups(queue, MOST_DELAYED_COUNTED);
    const ids = await sortedInTurns(groupIds(queue, delayed), byteOrder);
    for (const piece of piecesOf(ids, GROUPS_OF_A_PIECE)) {
      yield groupStandings(queue, piece, delayed, defaults, this.#store.now());
      await setImmediate();
    }
  }

  async find(
    name: QueueName,
    id: string,
    defaults: GroupDefaults | undefined,
  ): Promise<GroupStanding | undefined> {
    return this.#store.stepIfAny(name, (queue, now) => {
      const delayed = delayedOfGroups(queue, MOST_DELAYED_COUNTED);
      return groupStandings(queue, [id], delayed, defaults, now)[0];
    });
  }

  async saveSettings(name: QueueName, id: string, settings: GroupSettings): Promise<void> {
    this.#store.step(name, (queue) => {
      saveGroupSettings(queue, id, settings);
    });
  }

  async removeSettings(name: QueueName, id: string): Promise<boolean> {
    return this.#store.stepIfAny(name, (queue) => removeGroupSettings(queue, id)) ?? false;
  }

  async pause(name: QueueName, id: string): Promise<void> {
    this.#store.step(name, (queue) => {
      pauseGroup(queue, id);
    });
  }

  async resume(name: QueueName, id: string): Promise<void> {
    this.#store.stepIfAny(name, (queue) => {
      resumeGroup(queue, id);
    });
  }

  async hold(name: QueueName, id: string, duration: number): Promise<number> {
    return this.#store.step(name, (queue, now) => holdGroupByHand(queue, id, duration, now));
  }

  async endHold(name: QueueName, id: string): Promise<void> {
    this.#store.stepIfAny(name, (queue) => {
      endHoldOfGroup(queue, id);
    });
  }
}
