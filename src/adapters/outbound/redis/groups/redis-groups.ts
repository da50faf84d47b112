import type { GroupStorePort } from '../../../../application/ports/group-store-port.ts';
import { NO_GROUP } from '../../../../domain/groups/group-id.ts';
import {
  isShown,
  SHARE_WINDOW,
  type GroupReason,
  type GroupStanding,
} from '../../../../domain/groups/group.ts';
import type { GroupDefaults, GroupSettings } from '../../../../domain/groups/group-settings.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { GROUP_HELD, GROUP_SETTINGS, GROUP_STATES } from '../layout/group-keys.ts';
import type { QueueKeysCache } from '../layout/queue-keys-cache.ts';
import { luaScript } from '../lua/load.ts';

const readGroupsScript = luaScript('read-groups');
const countGroupJobsScript = luaScript('count-group-jobs');
const changeGroupScript = luaScript('change-group');

const MINUTE = 60_000;

/** How many groups one run looks at, in two or three milliseconds. */
const GROUPS_AT_ONCE = 200;

/** How many delayed jobs one run looks at, and how many a whole look goes through at most. */
const DELAYED_AT_ONCE = 1000;
const MOST_DELAYED = 10_000;

/** A group as the script answers it. */
type GroupAnswer = readonly [
  id: string,
  waiting: number,
  active: number,
  waitingSince: string,
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

  async list(
    queue: QueueName,
    defaults: GroupDefaults | undefined,
  ): Promise<readonly GroupStanding[]> {
    const waiting: GroupStanding[] = [];
    for (;;) {
      const piece = await this.#read(queue, defaults, [GROUPS_AT_ONCE, waiting.at(-1)?.id ?? '']);
      waiting.push(...piece);
      if (piece.length < GROUPS_AT_ONCE) break;
    }
    const { delayed, running } = await this.#jobs(queue);
    const known = new Set(waiting.map(({ id }) => id));
    const others = [
      ...new Set([NO_GROUP, ...delayed.keys(), ...running, ...(await this.#set(queue))]),
    ];
    const rest = await this.#readEach(
      queue,
      defaults,
      others.filter((id) => !known.has(id)),
    );
    return [...waiting, ...rest]
      .map((group) => ({ ...group, delayed: delayed.get(group.id) ?? 0 }))
      .filter(isShown)
      .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  }

  async find(
    queue: QueueName,
    id: string,
    defaults: GroupDefaults | undefined,
  ): Promise<GroupStanding | undefined> {
    const [group] = await this.#readEach(queue, defaults, [id]);
    const { delayed } = await this.#jobs(queue);
    const found = group && { ...group, delayed: delayed.get(id) ?? 0 };
    return found && isShown(found) ? found : undefined;
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

  async #readEach(
    queue: QueueName,
    defaults: GroupDefaults | undefined,
    ids: readonly string[],
  ): Promise<readonly GroupStanding[]> {
    const groups: GroupStanding[] = [];
    for (let from = 0; from < ids.length; from += GROUPS_AT_ONCE) {
      const some = ids.slice(from, from + GROUPS_AT_ONCE);
      groups.push(...(await this.#read(queue, defaults, ['', ...some])));
    }
    return groups;
  }

  /** @param which as the script takes it. */
  async #read(
    queue: QueueName,
    defaults: GroupDefaults | undefined,
    which: readonly (string | number)[],
  ): Promise<readonly GroupStanding[]> {
    const { meta, jobPrefix } = this.#keys.get(queue);
    const terms = defaults === undefined ? '' : JSON.stringify(defaults);
    const args = [jobPrefix, terms, SHARE_WINDOW / MINUTE, ...which];
    const answer = await this.#commands.scripts.run(readGroupsScript, [meta], args);
    const [starts, groups] = answer as readonly [number, readonly GroupAnswer[]];
    return groups.map((group) => groupOf(group, starts));
  }

  /** How many jobs of each group are delayed, and which groups have running jobs. */
  async #jobs(queue: QueueName): Promise<{ delayed: Map<string, number>; running: string[] }> {
    const { meta, delayed: delayedKey, active, jobPrefix } = this.#keys.get(queue);
    const delayed = new Map<string, number>();
    const running: string[] = [];
    for (let from = 0; from < MOST_DELAYED; from += DELAYED_AT_ONCE) {
      const answer = await this.#commands.scripts.run(
        countGroupJobsScript,
        [meta, delayedKey, active],
        [jobPrefix, from, DELAYED_AT_ONCE],
      );
      const [counts, isMore, groups] = answer as readonly [(string | number)[], number, string[]];
      for (let index = 0; index < counts.length; index += 2) {
        const id = String(counts[index]);
        delayed.set(id, (delayed.get(id) ?? 0) + Number(counts[index + 1]));
      }
      running.push(...groups);
      if (isMore === 0) break;
    }
    return { delayed, running };
  }

  /** The groups with settings, or that are paused or held. */
  async #set(queue: QueueName): Promise<readonly string[]> {
    const { jobPrefix } = this.#keys.get(queue);
    const settings = await this.#fields(`${jobPrefix}${GROUP_SETTINGS}`);
    const states = await this.#fields(`${jobPrefix}${GROUP_STATES}`);
    const { client, errors } = this.#commands;
    const held = await errors.run(() => client.zrange(`${jobPrefix}${GROUP_HELD}`, 0, -1));
    return [...settings, ...states.map((field) => field.slice(1)), ...held];
  }

  async #fields(key: string): Promise<readonly string[]> {
    const { client, errors } = this.#commands;
    const fields: string[] = [];
    let cursor = '0';
    do {
      const [next, found] = await errors.run(() => client.hscan(key, cursor, 'COUNT', 500));
      fields.push(...found.filter((_, index) => index % 2 === 0));
      cursor = next;
    } while (cursor !== '0');
    return fields;
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

function groupOf(answer: GroupAnswer, startsOfAll: number): GroupStanding {
  const [id, waiting, active, since, starts, isPaused, heldUntil] = answer;
  const [, , , , , , , reason, until, job, settings] = answer;
  return {
    id,
    waiting,
    active,
    delayed: 0,
    waitingSince: waiting === 0 ? null : Number(since),
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
