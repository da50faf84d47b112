import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { DemandPort, DemandQuery } from '../../../../application/ports/demand-port.ts';
import type { GroupDefaults } from '../../../../domain/groups/group-settings.ts';
import type { DemandFacts } from '../../../../domain/queues/demand.ts';
import { inPieces } from '../connection/in-pieces.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { readDemand } from '../scripts/reading.ts';

/** How many queues one run reads, and how many groups of them all it examines, in about two milliseconds each. */
const QUEUES_PER_RUN = 100;
const GROUPS_PER_RUN = 200;

/** How many runs one look at the same queues makes at most, to examine their groups. */
const MOST_RUNS = 100;

type Facts = readonly (DemandFacts | undefined)[];

/** Reads the demand of many queues in one run of a script. */
export class RedisDemand implements DemandPort {
  readonly #store: StoreCommands;
  readonly #clock: ClockPort;

  /** @param clock by which delayed jobs are due, as for claims. */
  constructor(store: StoreCommands, clock: ClockPort) {
    this.#store = store;
    this.#clock = clock;
  }

  facts(queries: readonly DemandQuery[]): Promise<Facts> {
    return inPieces(queries, QUEUES_PER_RUN, (piece) => this.#read(piece));
  }

  async #read(queries: readonly DemandQuery[]): Promise<Facts> {
    const args = queries.flatMap(({ queue, groups }) => [queue, boundsAsText(groups)]);
    for (let run = 1; ; run += 1) {
      const now = this.#clock.now();
      const [lines, roomForGroups] = await this.#store.callOfAll(
        readDemand,
        { timestamp: now, most: GROUPS_PER_RUN },
        args,
      );
      if (roomForGroups === 0 && run < MOST_RUNS) continue;
      return lines.split('\n').map((line) => factsOf(line, now));
    }
  }
}

/** Only what bounds groups, so that other changes of the settings do not have all of them examined again. */
function boundsAsText({ concurrency, limiter, ordered = false }: GroupDefaults = {}): string {
  const bounds = {
    ...(concurrency !== undefined && { concurrency }),
    ...(limiter !== undefined && { limiter: { max: limiter.max, duration: limiter.duration } }),
    ...(ordered !== false && { ordered }),
  };
  return Object.keys(bounds).length === 0 ? '' : JSON.stringify(bounds);
}

function factsOf(line: string, now: number): DemandFacts | undefined {
  if (line === '') return undefined;
  const numbers = line.split(' ').map(Number);
  const [active = 0, waiting = 0, due = 0, waitingBehindLimits = 0, dueBehindLimits = 0] = numbers;
  const [since = 0, paused, held, openSince = 0, claimedAt = 0] = numbers.slice(5);
  return {
    now,
    active,
    waiting,
    waitingBehindLimits,
    due,
    dueBehindLimits,
    ...(since > 0 && { startableSince: since }),
    isPaused: paused === 1,
    isHeld: held === 1,
    ...(openSince > 0 && { openSince }),
    ...(claimedAt > 0 && { claimedAt }),
  };
}
