import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { LimitQuery, LimitUsePort } from '../../../../application/ports/limit-use-port.ts';
import { LIMITS } from '../../../../application/kept/limits.ts';
import type { LimitUse, QueueAtLimit } from '../../../../domain/limits/limit-use.ts';
import type { LimitSettings } from '../../../../domain/limits/limit.ts';
import { inPieces } from '../connection/in-pieces.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { bindLimit, queuesAtLimit, readLimits, type LimitAnswer } from '../scripts/limits.ts';

/** How many limits one run reads, in about a millisecond. */
const LIMITS_PER_RUN = 100;

/** Reads how much of the limits is in use that queues share, and keeps the settings of some. */
export class RedisLimitUse implements LimitUsePort {
  readonly #store: StoreCommands;
  readonly #clock: ClockPort;

  constructor(store: StoreCommands, clock: ClockPort) {
    this.#store = store;
    this.#clock = clock;
  }

  uses(queries: readonly LimitQuery[]): Promise<readonly (LimitUse | undefined)[]> {
    return inPieces(queries, LIMITS_PER_RUN, (piece) => this.#read(piece));
  }

  async bind(limit: string, settings: LimitSettings, delay: number): Promise<void> {
    await this.#store.callOfAll(bindLimit, { name: limit, value: JSON.stringify(settings), delay });
  }

  async queuesAt(limit: string): Promise<readonly QueueAtLimit[]> {
    const [found, waiting] = await this.#store.callOfAll(queuesAtLimit, { name: limit });
    const running = new Map<string, number>();
    for (let at = 0; at < found.length; at += 2) {
      running.set(String(found[at]), Number(found[at + 1]));
    }
    return [...new Set([...running.keys(), ...waiting])].sort().map((queue) => ({
      queue,
      running: running.get(queue) ?? 0,
      waits: waiting.includes(queue),
    }));
  }

  async #read(queries: readonly LimitQuery[]): Promise<readonly (LimitUse | undefined)[]> {
    const args = queries.flatMap(({ name, queue = '' }) => [name, queue]);
    const answers = await this.#store.callOfAll(readLimits, {}, args);
    const now = this.#clock.now();
    return queries.map((query, index) => useOf(query, answers[index] ?? [], now));
  }
}

function useOf(
  { name, queue }: LimitQuery,
  [text, running, ofQueue, started, closedFor]: LimitAnswer,
  now: number,
): LimitUse | undefined {
  const settings = text === undefined ? undefined : LIMITS.read?.(name, text);
  if (settings === undefined || typeof settings === 'string') return undefined;
  return {
    name,
    settings,
    running: running ?? 0,
    ...(queue !== undefined && { queue: { name: queue, running: ofQueue ?? 0 } }),
    started: started ?? 0,
    ...((closedFor ?? 0) > 0 && { limitedUntil: now + (closedFor ?? 0) }),
  };
}
