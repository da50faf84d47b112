import {
  MOST_GROUPS,
  type GroupStorePort,
} from '../../../../application/ports/group-store-port.ts';
import { SHARE_WINDOW, type Group, type GroupReason } from '../../../../domain/groups/group.ts';
import type { GroupDefaults, GroupSettings } from '../../../../domain/groups/group-settings.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import { luaScript } from '../lua/load.ts';

const readGroupsScript = luaScript('read-groups');
const changeGroupScript = luaScript('change-group');

const MINUTE = 60_000;

/** A group as the script answers it. */
type GroupAnswer = readonly [
  id: string,
  waiting: number,
  active: number,
  delayed: number,
  oldestWaiting: string,
  starts: number,
  isPaused: number,
  heldUntil: string,
  reason: GroupReason | '',
  until: string,
  job: string,
  settings: string,
];

type Change = 'settings' | 'remove' | 'pause' | 'resume' | 'hold' | 'end-hold';

/** Groups of jobs in a Redis-compatible store (docs/groups.md). */
export class RedisGroups implements GroupStorePort {
  readonly #commands: StoreCommands;
  readonly #keys: QueueKeysCache;

  constructor(commands: StoreCommands, keys: QueueKeysCache) {
    this.#commands = commands;
    this.#keys = keys;
  }

  async list(queue: QueueName, defaults: GroupDefaults | undefined): Promise<readonly Group[]> {
    const groups = await this.#read(queue, defaults, '');
    return groups.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  }

  async find(
    queue: QueueName,
    id: string,
    defaults: GroupDefaults | undefined,
  ): Promise<Group | undefined> {
    const groups = await this.#read(queue, defaults, id);
    return groups.find((group) => group.id === id);
  }

  async saveSettings(queue: QueueName, id: string, settings: GroupSettings): Promise<void> {
    await this.#change(queue, id, 'settings', JSON.stringify(settings));
  }

  async removeSettings(queue: QueueName, id: string): Promise<boolean> {
    return (await this.#change(queue, id, 'remove')) === 1;
  }

  async pause(queue: QueueName, id: string): Promise<void> {
    await this.#change(queue, id, 'pause');
  }

  async resume(queue: QueueName, id: string): Promise<void> {
    await this.#change(queue, id, 'resume');
  }

  async hold(queue: QueueName, id: string, duration: number): Promise<number> {
    return Number(await this.#change(queue, id, 'hold', duration));
  }

  async endHold(queue: QueueName, id: string): Promise<void> {
    await this.#change(queue, id, 'end-hold');
  }

  async #read(
    queue: QueueName,
    defaults: GroupDefaults | undefined,
    only: string,
  ): Promise<readonly Group[]> {
    const { meta, jobPrefix } = this.#keys.get(queue);
    const terms = defaults === undefined ? '' : JSON.stringify(defaults);
    const args = [jobPrefix, terms, only, MOST_GROUPS, SHARE_WINDOW / MINUTE];
    const answer = await this.#commands.scripts.run(readGroupsScript, [meta], args);
    const [starts, groups] = answer as readonly [number, readonly GroupAnswer[]];
    return groups.map((group) => groupOf(group, starts));
  }

  #change(
    queue: QueueName,
    id: string,
    change: Change,
    value: string | number = '',
  ): Promise<unknown> {
    const { jobPrefix, marker } = this.#keys.get(queue);
    return this.#commands.scripts.run(changeGroupScript, [marker], [jobPrefix, id, change, value]);
  }
}

function groupOf(answer: GroupAnswer, startsOfAll: number): Group {
  const [id, waiting, active, delayed, oldest, starts, isPaused, heldUntil] = answer;
  const [, , , , , , , , reason, until, job, settings] = answer;
  return {
    id,
    waiting,
    active,
    delayed,
    oldestWaiting: waiting === 0 ? null : Number(oldest),
    share: startsOfAll === 0 ? 0 : starts / startsOfAll,
    paused: isPaused === 1,
    heldUntil: heldUntil === '0' ? null : Number(heldUntil),
    blocked:
      reason === ''
        ? null
        : { reason, ...(until !== '0' && { until: Number(until) }), ...(job !== '' && { job }) },
    settings: settings === '' ? null : (JSON.parse(settings) as GroupSettings),
  };
}
