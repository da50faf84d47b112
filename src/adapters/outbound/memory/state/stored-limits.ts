import { batchIdOf } from '../../../../domain/attempts/batch.ts';
import { flowExpiry, groupOfFlow } from '../../../../domain/messages/flow-limit.ts';
import type { LimitSettings } from '../../../../domain/limits/limit.ts';
import type { Turn } from '../../../../domain/limits/turns.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import {
  offerRoom,
  type LimitsState,
  type SharedLimit,
  type TurnsState,
} from '../../../../domain/transitions/shared-limits.ts';
import { keptOrMade } from '../../../../domain/values/kept-or-made.ts';
import type { KeyedRecords } from '../records/keyed-records.ts';
import type { StoreRecords } from '../records/store-records.ts';
import { LimitWindows } from './limit-windows.ts';
import type { StoredQueue } from './stored-queue.ts';

/** A call whose job was cancelled while it ran. */
interface KeptCall {
  readonly names: readonly string[];
  /** Epoch ms. */
  readonly until: number;
}

/** The settings of the limit of a flow control key, and when (epoch ms) they are forgotten unless it is used. */
interface FlowRecord {
  readonly settings: LimitSettings;
  readonly expires: number;
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

/** How many flow control keys there are at least before it is checked which of them rest. */
const LEAST_CHECKED = 100;

const NO_TURNS: ReadonlyMap<QueueName, Turn> = new Map();

/** The limits that the queues of one store share. Calls that run under them are counted from the jobs that run. */
export class StoredLimits implements LimitsState {
  readonly #of: LimitsOf;
  /** The queues that may have calls under limits. */
  readonly #holders = new Set<QueueName>();
  /** By limit and queue. */
  readonly #turns = new Map<string, Map<QueueName, Turn>>();
  /** By queue, at how many limits it waits. */
  readonly #waits = new Map<QueueName, number>();
  readonly #turnRecords: KeyedRecords<Turn>;
  /** By queue and token. */
  readonly #kept: KeyedRecords<KeptCall>;
  readonly #flows: KeyedRecords<FlowRecord>;
  #flowsToCheck = LEAST_CHECKED;
  readonly #windows: LimitWindows;
  readonly #freed = new Set<string>();

  constructor(of: LimitsOf) {
    this.#of = of;
    this.#windows = new LimitWindows(of.records);
    this.#kept = of.shared.map('limit-call');
    this.#flows = of.records.map<FlowRecord>('flow-limit', (name, flow) => {
      if (flow === undefined) this.#windows.forget(name);
    });
    this.#turnRecords = of.shared.map<Turn>('limit-turn', (id, turn, before) => {
      const [limit, queue] = turnIn(id);
      const turns = keptOrMade(this.#turns, limit, () => new Map<QueueName, Turn>());
      if (turn === undefined) turns.delete(queue);
      else turns.set(queue, turn);
      if (turns.size === 0) this.#turns.delete(limit);
      // Others of the queue pass a group that waits.
      const isOfAll = groupOfFlow(limit) === undefined;
      const more = Number(turn?.waits === true) - Number(before?.waits === true);
      if (isOfAll) this.#countWaits(queue, more);
      const { offeredUntil = before?.offeredUntil } = turn ?? {};
      if (offeredUntil !== before?.offeredUntil) of.find(queue)?.wake();
    });
  }

  find(name: string): SharedLimit | undefined {
    const settings = this.#flows.find(name)?.settings ?? this.#of.records.read('limit', '', name);
    if (settings === undefined) return undefined;
    const starts = this.#windows.of(name);
    const running = (): number => this.#running(name);
    return {
      name,
      settings,
      get running() {
        return running();
      },
      runningOf: (queue) => this.#runningOf(name, queue),
      runs: (queue, call) => this.#of.find(queue)?.jobs.limited.callsOf(name)?.has(call) ?? false,
      starts,
      turns: this.#turnsOf(name),
      groupsOf: (queue) => this.#of.find(queue)?.groups,
    };
  }

  bind(name: string, settings: LimitSettings, usedAt: number): void {
    const kept = this.#flows.find(name);
    const isSame = JSON.stringify(kept?.settings) === JSON.stringify(settings);
    const expires = Math.max(flowExpiry(settings, usedAt), kept?.expires ?? 0);
    if (isSame && kept?.expires === expires) return;
    this.#flows.put(name, { settings, expires });
    if (!isSame) this.freed([name]);
    if (this.#flows.size >= this.#flowsToCheck) this.#forgetRested();
  }

  /** A queue has calls under limits. */
  holds(queue: QueueName): void {
    this.#holders.add(queue);
  }

  /** The queues that have calls under limits, and those that wait at one. */
  queuesAt(name: string): readonly QueueName[] {
    const waiting = [...(this.#turns.get(name) ?? NO_TURNS)].filter(([, { waits }]) => waits);
    const kept = Array.from(this.#kept.ids(), (id) => callIn(id)[0]);
    return [...new Set([...this.#holders, ...kept, ...waiting.map(([queue]) => queue)])].sort();
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
    for (const [id, { until }] of this.#kept.entries()) if (until <= now) this.#kept.remove(id);
  }

  keepCall(queue: QueueName, token: string, names: readonly string[], until: number): void {
    this.#kept.put(`${queue}:${token}`, { names, until });
  }

  endCall(queue: QueueName, token: string): void {
    const id = `${queue}:${token}`;
    this.freed(this.#kept.find(id)?.names ?? []);
    this.#kept.remove(id);
  }

  /** Forgets the keys that rest, each time that there are twice as many. */
  #forgetRested(): void {
    for (const [name, { expires }] of this.#flows.entries()) {
      if (expires > this.#of.now()) continue;
      for (const [queue] of this.#turnsOf(name)) this.#turnsOf(name).put(queue, undefined);
      this.#windows.noteAll(name);
      this.#flows.remove(name);
    }
    this.#flowsToCheck = 2 * this.#flows.size + LEAST_CHECKED;
  }

  #countWaits(queue: QueueName, more: number): void {
    const waits = (this.#waits.get(queue) ?? 0) + more;
    if (waits > 0) this.#waits.set(queue, waits);
    else this.#waits.delete(queue);
  }

  #turnsOf(name: string): TurnsState {
    const turns = (): ReadonlyMap<QueueName, Turn> => this.#turns.get(name) ?? NO_TURNS;
    return {
      [Symbol.iterator]: () => turns().entries(),
      find: (queue) => turns().get(queue),
      put: (queue, turn) => {
        if (turn === undefined) this.#turnRecords.remove(`${name}:${queue}`);
        else this.#turnRecords.put(`${name}:${queue}`, turn);
      },
    };
  }

  #running(name: string): number {
    let running = 0;
    for (const queue of this.#holders) {
      const limited = this.#of.find(queue)?.jobs.limited;
      running += limited?.callsOf(name)?.size ?? 0;
      if (limited?.isEmpty !== false) this.#holders.delete(queue);
    }
    return running + this.#keptOf(name).length;
  }

  #runningOf(name: string, queue: QueueName): number {
    const calls = this.#of.find(queue)?.jobs.limited.callsOf(name)?.size ?? 0;
    return calls + this.#keptOf(name).filter((each) => each === queue).length;
  }

  /** The queues of the calls that run although none of their jobs does, once for each call. */
  #keptOf(name: string): readonly QueueName[] {
    if (this.#kept.size === 0) return [];
    const calls = new Map<string, QueueName>();
    for (const [id, { names, until }] of this.#kept.entries()) {
      const [queue, token] = callIn(id);
      const isLive = until > this.#of.now() && names.includes(name);
      const hasJobs = this.#of.find(queue)?.jobs.limited.callsOf(name)?.has(batchIdOf(token));
      if (isLive && hasJobs !== true) calls.set(`${queue}:${batchIdOf(token)}`, queue);
    }
    return [...calls.values()];
  }
}

/** The limit and the queue of a turn: their names have no colon. */
function turnIn(id: string): readonly [limit: string, queue: QueueName] {
  const [limit = '', queue = ''] = id.split(':');
  return [limit, queue as QueueName];
}

/** The queue and the token of a call. */
function callIn(id: string): readonly [queue: QueueName, token: string] {
  const [queue = '', token = ''] = id.split(':');
  return [queue as QueueName, token];
}
