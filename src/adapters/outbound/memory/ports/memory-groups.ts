/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import type { GroupStorePort } from '../../../../application/ports/group-store-port.ts';
import type { GroupStanding } from '../../../../domain/groups/group.ts';
import type { GroupDefaults, GroupSettings } from '../../../../domain/groups/group-settings.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { MemoryStore } from '../state/memory-store.ts';

/** Groups of jobs in the memory of this process. */
export class MemoryGroups implements GroupStorePort {
  readonly #store: MemoryStore;

  constructor(store: MemoryStore) {
    this.#store = store;
  }

  async *list(
    queue: QueueName,
    defaults: GroupDefaults | undefined,
  ): AsyncGenerator<readonly GroupStanding[]> {
    yield* this.#store.find(queue)?.groups(defaults) ?? [];
  }

  async find(
    queue: QueueName,
    id: string,
    defaults: GroupDefaults | undefined,
  ): Promise<GroupStanding | undefined> {
    return this.#store.find(queue)?.group(id, defaults);
  }

  async saveSettings(queue: QueueName, id: string, settings: GroupSettings): Promise<void> {
    this.#store.open(queue).saveGroup(id, settings);
  }

  async removeSettings(queue: QueueName, id: string): Promise<boolean> {
    return this.#store.find(queue)?.removeGroup(id) ?? false;
  }

  async pause(queue: QueueName, id: string): Promise<void> {
    this.#store.open(queue).pauseGroup(id, true);
  }

  async resume(queue: QueueName, id: string): Promise<void> {
    this.#store.find(queue)?.pauseGroup(id, false);
  }

  async hold(queue: QueueName, id: string, duration: number): Promise<number> {
    return this.#store.open(queue).holdGroup(id, duration);
  }

  async endHold(queue: QueueName, id: string): Promise<void> {
    this.#store.find(queue)?.endHoldOfGroup(id);
  }
}
