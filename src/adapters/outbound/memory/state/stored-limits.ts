import { batchIdOf } from '../../../../domain/attempts/batch.ts';
import { FLOW_KEPT, flowExpiry, groupOfFlow } from '../../../../domain/messages/flow-limit.ts';
import type { LimitSettings } from '../../../../domain/limits/limit.ts';
import type { Turn } from '../../../../domain/limits/turns.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import {
  offerRoom,
  type LimitsState,
  type SharedLimit,
  type TurnsState,
} from '../../../../domain/transitions/shared-limits.ts';
import type { IndexedJob } from '../../../../domain/records/job-record.ts';
import { keptOrMade } from '../../../../domain/values/kept-or-made.ts';
import type { KeyedRecords } from '../records/keyed-records.ts';
import type { StoreRecords } from '../records/store-records.ts';
import { ByTime } from './by-time.ts';
import type { CallWindow } from './call-window.ts';
import { LimitedCalls } from './limited-calls.ts';
import { LimitTurns } from './limit-turns.ts';
import { LimitWindows } from './limit-windows.ts';
import type { StoredQueue } from './stored-queue.ts';

/** A call whose job was cancelled while it ran. */
interface KeptCall extends NonNullable<IndexedJob['limits']> {
  /** Epoch ms. */
  readonly until: number;
}

/** The settings of the limit of a flow control key. Times are epoch ms. */
interface FlowRecord {
  readonly settings: LimitSettings;
  /** When they are forgotten unless the key is used. */
  readonly expires: number;
  /** Distinguishes it from one that was forgotten before. */
  readonly since: number;
}

/** The parts of a store that limits concern. */
interface LimitsOf {
  readonly records: StoreRecords;
  /** Keeps records that need not outlast the process. */
  readonly shared: StoreRecords;
  readonly find: (queue: QueueName) => StoredQueue | undefined;
  /** Epoch ms. */
  readonly now: () => number;
}

/** The most things that one step forgets. */
const MOST_FORGOTTEN = 500;

/** At how many limits one step looks whether they were removed. */
const MOST_LOOKED_AT = 50;

const NO_TURNS = new LimitTurns();

/** The limits that the queues of one store share. Calls that run under them are counted from the jobs that run. */
export class StoredLimits implements LimitsState {
  readonly #of: LimitsOf;
  readonly calls = new LimitedCalls();
  readonly #turns = new Map<string, LimitTurns>();
  /** By queue, at how many limits it waits. */
  readonly #waits = new Map<QueueName, number>();
  /** By limit and queue, whose names have no colon. */
  readonly #turnRecords: KeyedRecords<Turn>;
  /** By queue and token. */
  readonly #kept: KeyedRecords<KeptCall>;
  /** By when they are over at the latest. */
  readonly #ending = new ByTime<string>();
  readonly #flows: KeyedRecords<FlowRecord>;
  readonly #resting = new ByTime<string>();
  readonly #windows: LimitWindows;
  readonly #freed = new Set<string>();

  constructor(of: LimitsOf) {
    this.#of = of;
    this.#windows = new LimitWindows(of.records);
    this.#kept = of.shared.map<KeptCall>('limit-call', (id, call, before) => {
      this.calls.count(queueIn(id), before, -1);
      this.calls.count(queueIn(id), call, 1);
      this.#ending.remove(before?.until, id);
      this.#ending.add(call?.until, id, id);
    });
    this.#flows = of.records.map<FlowRecord>('flow-limit', (name, flow, before) => {
      this.#resting.remove(before?.expires, name);
      this.#resting.add(flow?.expires, name, name);
      if (flow?.since !== before?.since) this.#windows.forget(name);
    });
    this.#turnRecords = of.shared.map<Turn>('limit-turn', (id, turn, before) => {
      const [limit, queue] = id.split(':') as [string, QueueName];
      const turns = keptOrMade(this.#turns, limit, () => new LimitTurns());
      turns.replace(queue, turn);
      if (turns.all.size === 0) this.#turns.delete(limit);
      // Others of the queue pass a group that waits.
      if (groupOfFlow(limit) === undefined) {
        const more = Number(turn?.waits === true) - Number(before?.waits === true);
        this.#waits.set(queue, (this.#waits.get(queue) ?? 0) + more);
        if (this.#waits.get(queue) === 0) this.#waits.delete(queue);
      }
      const { offeredUntil = before?.offeredUntil } = turn ?? {};
      if (offeredUntil !== before?.offeredUntil) of.find(queue)?.wake();
    });
  }

  find(name: string): SharedLimit | undefined {
    const settings = this.#flows.find(name)?.settings ?? this.#of.records.read('limit', '', name);
    if (settings === undefined) return undefined;
    const calls = (): ReturnType<LimitedCalls['of']> => this.calls.of(name);
    const starts = (): CallWindow => this.#windows.of(name);
    return {
      name,
      settings,
      get running() {
        let running = 0;
        for (const { size } of calls().values()) running += size;
        return running;
      },
      runningOf: (queue) => calls().get(queue)?.size ?? 0,
      runs: (queue, call) => calls().get(queue)?.has(call) ?? false,
      get starts() {
        return starts();
      },
      turns: this.#turnsOf(name),
      groupsOf: (queue) => this.#of.find(queue)?.groups,
    };
  }

  bind(name: string, settings: LimitSettings, usedAt: number): void {
    const kept = this.#flows.find(name);
    const isSame = JSON.stringify(kept?.settings) === JSON.stringify(settings);
    const expires = Math.max(flowExpiry(settings, usedAt), kept?.expires ?? 0);
    if (isSame && kept?.expires === expires) return;
    this.#flows.put(name, { settings, expires, since: kept?.since ?? usedAt });
    if (!isSame) this.freed([name]);
  }

  /** Forgets the calls of a queue that is removed, those of its cancelled jobs among them. */
  leave(queue: QueueName): void {
    for (const id of this.#kept.ids()) if (queueIn(id) === queue) this.#kept.remove(id);
    this.freed(this.calls.forget(queue));
  }

  /** The queues that have calls under a limit, and those that wait at it. */
  queuesAt(name: string): readonly QueueName[] {
    const waiting = Array.from(this.#turnsOf(name).waiting, ([queue]) => queue);
    return [...new Set([...this.calls.of(name).keys(), ...waiting])].sort();
  }

  /** Whether the latest claim of the queue was refused by a limit: what wakes it is an offer of room. */
  refuses(queue: QueueName): boolean {
    return this.#waits.has(queue);
  }

  freed(names: readonly string[]): void {
    for (const name of names) this.#freed.add(name);
  }

  /** To be called at the end of each step. */
  offerFreed(now: number): void {
    if (this.#freed.size === 0) return;
    for (const name of this.#freed) {
      const limit = this.find(name);
      if (limit !== undefined) offerRoom(limit, now);
    }
    this.#freed.clear();
  }

  keepCall(queue: QueueName, token: string, names: readonly string[], until: number): void {
    this.#kept.put(`${queue}:${token}`, { call: batchIdOf(token), names, until });
  }

  endCall(queue: QueueName, token: string): void {
    this.#endKept(`${queue}:${token}`);
  }

  /**
   * Forgets calls that are over and flow control keys that rest, as many as one short step allows, and some of what
   * limits left that were removed.
   *
   * @returns whether no such call or key is left.
   */
  forgetRested(now: number): boolean {
    for (let looks = MOST_LOOKED_AT; looks > 0; looks -= 1) {
      const name = this.#windows.next();
      if (name !== undefined && this.#isRemoved(name, now)) this.#forgetPartOf(name);
    }
    for (let left = MOST_FORGOTTEN; left > 0; left -= 1) {
      const [call, name] = [this.#ending.first(now), this.#resting.first(now)];
      if (call === undefined && name === undefined) return true;
      if (call !== undefined) this.#endKept(call);
      if (name !== undefined) this.#forgetPartOf(name);
    }
    return false;
  }

  #endKept(id: string): void {
    this.freed(this.#kept.find(id)?.names ?? []);
    this.#kept.remove(id);
  }

  /** Whether a limit is gone for so long that its starts count no more if it is put again. */
  #isRemoved(name: string, now: number): boolean {
    const { latest = 0 } = this.#windows.of(name);
    return latest <= now - FLOW_KEPT && this.find(name) === undefined;
  }

  /** Forgets some of the starts of a limit, or one of its turns, or at last its settings. */
  #forgetPartOf(name: string): void {
    const turns = this.#turnsOf(name);
    const [first] = turns;
    if (first !== undefined) turns.put(first[0], undefined);
    else if (!this.#windows.drop(name)) {
      this.#flows.remove(name);
      this.#windows.forget(name);
    }
  }

  #turnsOf(name: string): TurnsState {
    const turns = (): LimitTurns => this.#turns.get(name) ?? NO_TURNS;
    return {
      [Symbol.iterator]: () => turns().all.entries(),
      waiting: { [Symbol.iterator]: () => turns().waiting[Symbol.iterator]() },
      find: (queue) => turns().all.get(queue),
      put: (queue, turn) => {
        if (turn === undefined) this.#turnRecords.remove(`${name}:${queue}`);
        else this.#turnRecords.put(`${name}:${queue}`, turn);
      },
    };
  }
}

/** The queue of a call. */
function queueIn(id: string): QueueName {
  return id.slice(0, id.indexOf(':')) as QueueName;
}
