import { tooMany } from '../../../../domain/errors.ts';
import { MOST_CHANGED_GROUPS } from '../../../../domain/groups/group-settings.ts';
import {
  GROUPS_OF_A_PIECE,
  MOST_DELAYED_COUNTED,
  type GroupStorePort,
} from '../../../../application/ports/group-store-port.ts';
import { NO_GROUP } from '../../../../domain/groups/group-id.ts';
import { isShown, SHARE_WINDOW, type GroupStanding } from '../../../../domain/groups/group.ts';
import type { GroupDefaults, GroupSettings } from '../../../../domain/groups/group-settings.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { Stop } from '../../../../domain/values/stop.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import { byteOrder } from '../../../../domain/values/byte-order.ts';
import { sortedInTurns } from '../../../shared/sorted-in-turns.ts';
import { SerialReads } from '../connection/serial-reads.ts';
import { scannedNames } from '../connection/scanned-names.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { stopOf, stopText } from '../layout/stop-text.ts';
import { GROUP_HELD, GROUP_SETTINGS, GROUP_STATES, GROUP_WAITING } from '../layout/group-keys.ts';
import {
  changeGroup,
  countGroupJobs,
  nextGroups,
  readGroups,
  type GroupAnswer,
} from '../scripts/groups.ts';
import { inOrder } from './ids-in-order.ts';

const MINUTE = 60_000;

/** How many delayed jobs one run looks at. */
const DELAYED_AT_ONCE = 1000;

/** How many groups with settings, pauses or holds one command finds. */
const SCANNED_AT_ONCE = 500;

type Change = 'settings' | 'remove' | 'pause' | 'resume' | 'hold' | 'end-hold';

/** Groups of jobs in a Redis-compatible store (docs/groups.md). */
export class RedisGroups implements GroupStorePort {
  readonly #store: StoreCommands;
  /** The steps of lists, one after the other: any number of lists at once takes no more of the store than one. */
  readonly #steps = new SerialReads();

  constructor(store: StoreCommands) {
    this.#store = store;
  }

  async *list(
    queue: QueueName,
    defaults: GroupDefaults | undefined,
  ): AsyncGenerator<readonly GroupStanding[]> {
    const { delayed, running } = await this.#jobs(queue);
    const others = [NO_GROUP, ...delayed.keys(), ...running, ...(await this.#set(queue))];
    const ofOthers = await sortedInTurns([...new Set(others)], byteOrder);
    for await (const ids of inOrder(this.#waiting(queue), ofOthers)) {
      for (const some of piecesOf(ids, GROUPS_OF_A_PIECE)) {
        yield await this.#steps.run(() => this.#read(queue, defaults, some, delayed));
      }
    }
  }

  async find(
    queue: QueueName,
    id: string,
    defaults: GroupDefaults | undefined,
  ): Promise<GroupStanding | undefined> {
    const { delayed } = await this.#jobs(queue);
    const [group] = await this.#read(queue, defaults, [id], delayed);
    return group;
  }

  async saveSettings(queue: QueueName, id: string, settings: GroupSettings): Promise<void> {
    await this.#change(queue, id, 'settings', JSON.stringify(settings));
  }

  async removeSettings(queue: QueueName, id: string): Promise<boolean> {
    return (await this.#change(queue, id, 'remove')) === 1;
  }

  async pause(queue: QueueName, id: string, stop?: Stop): Promise<void> {
    await this.#change(queue, id, 'pause', '', stop);
  }

  async resume(queue: QueueName, id: string): Promise<void> {
    await this.#change(queue, id, 'resume');
  }

  async hold(queue: QueueName, id: string, duration: number, stop?: Stop): Promise<number> {
    return Number(await this.#change(queue, id, 'hold', duration, stop));
  }

  async endHold(queue: QueueName, id: string): Promise<void> {
    await this.#change(queue, id, 'end-hold');
  }

  /** The groups of the ids that have jobs or settings, or are paused or held, in the order of the ids. */
  async #read(
    queue: QueueName,
    defaults: GroupDefaults | undefined,
    ids: readonly string[],
    delayed: ReadonlyMap<string, number>,
  ): Promise<readonly GroupStanding[]> {
    const terms = defaults === undefined ? '' : JSON.stringify(defaults);
    const args = { defaults: terms, minutes: SHARE_WINDOW / MINUTE };
    const keys = this.#store.keysOf(queue);
    const [starts, groups] = await this.#store.call(readGroups, keys, args, ids);
    return groups.map((group) => groupOf(group, delayed, starts)).filter(isShown);
  }

  /** The groups with waiting jobs. */
  async *#waiting(queue: QueueName): AsyncGenerator<readonly string[]> {
    const waiting = `${this.#store.keysOf(queue).jobPrefix}${GROUP_WAITING}`;
    let ids: readonly string[] = [];
    do {
      const args = { most: GROUPS_OF_A_PIECE, after: ids.at(-1) ?? '' };
      ids = await this.#steps.run(() => this.#store.call(nextGroups, { waiting }, args));
      yield ids;
    } while (ids.length === GROUPS_OF_A_PIECE);
  }

  /** How many jobs of each group are delayed, and which groups have running jobs. */
  async #jobs(queue: QueueName): Promise<{ delayed: Map<string, number>; running: string[] }> {
    const delayed = new Map<string, number>();
    const running: string[] = [];
    for (let from = 0; from < MOST_DELAYED_COUNTED; from += DELAYED_AT_ONCE) {
      const args = { from, most: DELAYED_AT_ONCE };
      const [counts, isMore, groups] = await this.#steps.run(() =>
        this.#store.callOf(queue, countGroupJobs, args),
      );
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
    const { jobPrefix } = this.#store.keysOf(queue);
    const { client } = this.#store;
    const hash = (name: string) =>
      this.#scanned((cursor) =>
        client.hscan(`${jobPrefix}${name}`, cursor, 'COUNT', SCANNED_AT_ONCE),
      );
    const held = await this.#scanned((cursor) =>
      client.zscan(`${jobPrefix}${GROUP_HELD}`, cursor, 'COUNT', SCANNED_AT_ONCE),
    );
    const states = await hash(GROUP_STATES);
    return [...(await hash(GROUP_SETTINGS)), ...states.map((field) => field.slice(1)), ...held];
  }

  #scanned(
    scan: (cursor: string) => Promise<[next: string, found: string[]]>,
  ): Promise<readonly string[]> {
    return scannedNames((cursor) =>
      this.#steps.run(() => this.#store.errors.run(() => scan(cursor))),
    );
  }

  async #change(
    queue: QueueName,
    id: string,
    change: Change,
    value: string | number = '',
    stop?: Stop,
  ): Promise<unknown> {
    const args = { group: id, what: change, value, stop: stopText(stop) };
    const answer = await this.#store.callOf(queue, changeGroup, args);
    if (answer === -1) throw tooMany('groups', MOST_CHANGED_GROUPS);
    return answer;
  }
}

function groupOf(
  answer: GroupAnswer,
  delayed: ReadonlyMap<string, number>,
  startsOfAll: number,
): GroupStanding {
  const [id, waiting, active, since, starts, isPaused, heldUntil] = answer;
  const [, , , , , , , reason, until, job, settings, pausedBy, heldBy] = answer;
  const [pause, hold] = [stopOf(pausedBy), stopOf(heldBy)];
  return {
    id,
    waiting,
    active,
    delayed: delayed.get(id) ?? 0,
    waitingSince: waiting === 0 ? null : Number(since),
    share: startsOfAll === 0 ? 0 : starts / startsOfAll,
    paused: isPaused === 1,
    heldUntil: heldUntil === '0' ? null : Number(heldUntil),
    ...(pause && { pause }),
    ...(hold && { hold }),
    blocked:
      reason === ''
        ? null
        : { reason, ...(until !== '0' && { until: Number(until) }), ...(job !== '' && { job }) },
    settings: settings === '' ? null : (JSON.parse(settings) as GroupSettings),
  };
}
