import {
  STEPS_TOGETHER,
  type CountedQueue,
  type CountedSteps,
  type FailuresOfQueue,
  type FiguresPort,
  type SampledMinute,
} from '../../../../application/ports/figures-port.ts';
import type { RecordedSteps, StepRange } from '../../../../domain/figures/figure-series.ts';
import {
  beginOf,
  KEPT_FOR,
  STEPS,
  type BacklogOfStep,
  type FiguresOfStep,
  type Step,
} from '../../../../domain/figures/figure-steps.ts';
import type { LatestCall } from '../../../../domain/calls/latest-calls.ts';
import type { FailureGroup } from '../../../../domain/jobs/failures.ts';
import type { Traces } from '../../../../domain/jobs/traces.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import { severalAtOnce } from '../../../../application/running/several-at-once.ts';
import { replaceValues } from '../connection/hash-values.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import {
  FigureKeys,
  figuresName,
  groupOf,
  groupsBetween,
  stepNumber,
} from '../layout/figure-keys.ts';
import { backlogOf, backlogRecord, figureRecord, figuresOf } from '../layout/figure-record.ts';
import { saveBacklogs, saveFigures } from '../scripts/events.ts';

/** The longest time (ms) from the start of the first step of a group until its last one is no longer kept. */
const GROUP_KEPT_FOR: Readonly<Record<Step, number>> = {
  minute: KEPT_FOR.minute + STEPS.hour,
  hour: KEPT_FOR.hour + 24 * STEPS.hour,
};

/** For how many queues one run records the backlog. */
const QUEUES_PER_RUN = 50;

/** How many reads are in progress at a time. */
const READS_AT_ONCE = 50;

/** How long (ms) the store remembers which replica samples a minute. */
const SAMPLER_KEPT_FOR = 5 * STEPS.minute;

/**
 * Figures in hashes, for each queue and for all together: one per hour for its minutes, and one per day for its hours.
 */
export class RedisFigures implements FiguresPort {
  readonly #store: StoreCommands;
  readonly #keys: FigureKeys;
  readonly #start: string;

  constructor(store: StoreCommands) {
    this.#store = store;
    this.#keys = new FigureKeys(store.prefix);
    this.#start = `${store.prefix}:`;
  }

  async save({ queue, source, minute, hour, failures, calls }: CountedQueue): Promise<void> {
    const [hasFailed, life] = [failures.length > 0, GROUP_KEPT_FOR.minute];
    const failed = this.#keys.failures(queue, groupOf('minute', minute.at));
    const entries = [...this.#entriesOf(queue, source, { minute, hour })];
    const field = fieldOf('minute', minute.at, source);
    if (hasFailed) entries.push([failed, life, field, JSON.stringify(failures)]);
    if (calls.length > 0) {
      entries.push([this.#keys.latestCalls(queue), life, source, JSON.stringify(calls)]);
    }
    const { counted, failing } = this.#keys;
    const keys = { meta: `${this.#start}${queue}:meta`, counted, failing };
    const args = { queue, minute: minute.at, hasFailed };
    await this.#store.call(saveFigures, keys, args, entries.flat());
  }

  async saveTotal({ source, minute, hour }: CountedSteps): Promise<void> {
    await this.#run((pipeline) => {
      for (const [key, life, ...entry] of this.#entriesOf(undefined, source, { minute, hour })) {
        pipeline.hset(key, ...entry).pexpire(key, life);
      }
      for (const queues of [this.#keys.counted, this.#keys.failing]) {
        pipeline.zremrangebyscore(queues, '-inf', minute.at - KEPT_FOR.minute);
      }
      return pipeline;
    });
  }

  async claimSample(at: number): Promise<boolean> {
    const key = this.#keys.sampler(stepNumber('minute', at));
    return (
      (await this.#store.run((client) => client.set(key, 1, 'PX', SAMPLER_KEPT_FOR, 'NX'))) === 'OK'
    );
  }

  async saveSample({ at, total, queues }: SampledMinute): Promise<void> {
    const hour = beginOf('hour', at);
    const [minutes, hours] = [groupOf('minute', at), groupOf('hour', hour)];
    const [minuteField, hourField] = [stepNumber('minute', at), stepNumber('hour', hour)];
    const groups = { minutes: figuresName('minute', minutes), hours: figuresName('hour', hours) };
    const fields = { minute: minuteField, hour: hourField };
    const lives = { minutesKept: GROUP_KEPT_FOR.minute, hoursKept: GROUP_KEPT_FOR.hour };
    for (const some of piecesOf(queues, QUEUES_PER_RUN)) {
      const records = some.flatMap(({ queue, backlog }) => [queue, backlogRecord(backlog)]);
      await this.#store.callOfAll(saveBacklogs, { ...groups, ...fields, ...lives }, records);
    }
    // Written last, since it tells that queues without a record had no waiting jobs.
    const record = backlogRecord(total);
    await this.#run((pipeline) =>
      pipeline
        .hset(this.#keys.figures(undefined, 'minute', minutes), String(minuteField), record)
        .hset(
          this.#keys.figures(undefined, 'hour', hours),
          String(hourField),
          `${minuteField},${record}`,
        ),
    );
  }

  async read(queue: QueueName | undefined, range: StepRange): Promise<RecordedSteps> {
    const { step, first, last } = range;
    const groups = groupsBetween(step, first, last);
    const total = new StepRecords(step, await this.#readGroups(undefined, step, groups));
    const own =
      queue === undefined
        ? total
        : new StepRecords(step, await this.#readGroups(queue, step, groups));
    return {
      counted: new Set(total.figures.map(({ at }) => at)),
      sampled: new Set(total.backlogs.map(({ at }) => at)),
      figures: own.figures,
      backlogs: own.backlogs.filter(({ at, sampledIn }) => sampledIn === total.sampledIn(at)),
    };
  }

  async recent(
    queues: readonly QueueName[],
    step: Step,
    first: number,
  ): Promise<readonly (readonly FiguresOfStep[])[]> {
    const last = first + (STEPS_TOGETHER[step] - 1) * STEPS[step];
    const groups = groupsBetween(step, first, last);
    return severalAtOnce(queues, READS_AT_ONCE, async (queue) => {
      const { figures } = new StepRecords(step, await this.#readGroups(queue, step, groups));
      return figures.filter(({ at }) => at >= first && at <= last);
    });
  }

  async countedSince(first: number): Promise<readonly QueueName[]> {
    return this.#notedSince(this.#keys.counted, first);
  }

  async failedSince(first: number, among?: readonly QueueName[]): Promise<readonly QueueName[]> {
    if (among === undefined) return this.#notedSince(this.#keys.failing, first);
    if (among.length === 0) return [];
    const latest = await this.#store.run((client) => client.zmscore(this.#keys.failing, ...among));
    return among.filter((_, index) => Number(latest[index] ?? -Infinity) >= first);
  }

  async calls(queue: QueueName): Promise<readonly LatestCall[]> {
    const records = await this.#store.run((client) => client.hvals(this.#keys.latestCalls(queue)));
    return records.flatMap((record) => JSON.parse(record) as LatestCall[]);
  }

  async forget(queue: QueueName, traces: Traces, now: number): Promise<void> {
    await replaceValues(this.#store, this.#keys.latestCalls(queue), (text) =>
      traces.callsWithout(queue, JSON.parse(text) as LatestCall[]),
    );
    const groups = groupsBetween('minute', now - GROUP_KEPT_FOR.minute, now);
    await severalAtOnce(groups, READS_AT_ONCE, (group) =>
      replaceValues(this.#store, this.#keys.failures(queue, group), (text) =>
        traces.failuresWithout(queue, JSON.parse(text) as FailureGroup[]),
      ),
    );
  }

  async failures(first: number): Promise<readonly FailuresOfQueue[]> {
    const queues = await this.#store.run((client) =>
      client.zrangebyscore(this.#keys.failing, first, '+inf', 'WITHSCORES'),
    );
    const names = queues.flatMap((name, index) =>
      index % 2 === 0 ? [{ queue: name as QueueName, last: Number(queues[index + 1]) }] : [],
    );
    const least = stepNumber('minute', first);
    const found = await severalAtOnce(names, READS_AT_ONCE, async ({ queue, last }) => {
      const groups = groupsBetween('minute', first, last);
      const hashes = await Promise.all(
        groups.map((group) =>
          this.#store.run((client) => client.hgetall(this.#keys.failures(queue, group))),
        ),
      );
      return hashes.flatMap((hash) =>
        Object.entries(hash)
          .filter(([field]) => numberIn(field) >= least)
          .map(([, record]) => ({ queue, failures: JSON.parse(record) as FailureGroup[] })),
      );
    });
    return found.flat();
  }

  /** The entries that store the figures of a source, one for each step. */
  #entriesOf(
    queue: QueueName | undefined,
    source: string,
    counted: Readonly<Record<Step, FiguresOfStep>>,
  ): readonly Entry[] {
    return STEP_NAMES.map((step) => {
      const { at, figures } = counted[step];
      const key = this.#keys.figures(queue, step, groupOf(step, at));
      return [key, GROUP_KEPT_FOR[step], fieldOf(step, at, source), figureRecord(figures)];
    });
  }

  /** @param key of a set of queues with the start of a minute. */
  async #notedSince(key: string, first: number): Promise<readonly QueueName[]> {
    const names = await this.#store.run((client) =>
      client.zrangebyscore(key, beginOf('minute', first), '+inf'),
    );
    return names as QueueName[];
  }

  async #readGroups(
    queue: QueueName | undefined,
    step: Step,
    groups: readonly number[],
  ): Promise<readonly Readonly<Record<string, string>>[]> {
    return Promise.all(
      groups.map((group) =>
        this.#store.run((client) => client.hgetall(this.#keys.figures(queue, step, group))),
      ),
    );
  }

  async #run(build: (pipeline: Pipeline) => Pipeline): Promise<void> {
    await this.#store.run(async (client) => {
      const results = (await build(client.pipeline()).exec()) ?? [];
      for (const [error] of results) if (error) throw error;
    });
  }
}

/** An entry of a hash, with how long (ms) the hash is kept. */
type Entry = [key: string, life: number, field: string, text: string];

const STEP_NAMES = ['minute', 'hour'] as const satisfies readonly Step[];

type Pipeline = ReturnType<StoreCommands['client']['pipeline']>;

/** The fields of hashes of steps, read. */
class StepRecords {
  readonly figures: FiguresOfStep[] = [];
  readonly backlogs: (BacklogOfStep & { readonly sampledIn: number })[] = [];
  readonly #sampledIn = new Map<number, number>();

  constructor(step: Step, hashes: readonly Readonly<Record<string, string>>[]) {
    for (const hash of hashes) {
      for (const field in hash) {
        const at = numberIn(field) * STEPS[step];
        this.#add(step, at, field.includes('.'), hash[field] ?? '');
      }
    }
  }

  /** The number of the minute at the end of which the backlog of a step was sampled. */
  sampledIn(at: number): number | undefined {
    return this.#sampledIn.get(at);
  }

  #add(step: Step, at: number, isCounted: boolean, record: string): void {
    if (isCounted) {
      const figures = figuresOf(record);
      if (figures !== undefined) this.figures.push({ at, figures });
      return;
    }
    const comma = step === 'hour' ? record.indexOf(',') : -1;
    const sampledIn = comma === -1 ? stepNumber('minute', at) : Number(record.slice(0, comma));
    this.#sampledIn.set(at, sampledIn);
    this.backlogs.push({ at, sampledIn, backlog: backlogOf(record.slice(comma + 1)) });
  }
}

function fieldOf(step: Step, at: number, source: string): string {
  return `${stepNumber(step, at)}.${source}`;
}

/** The number of the step that a field names. */
function numberIn(field: string): number {
  const dot = field.indexOf('.');
  return Number(dot === -1 ? field : field.slice(0, dot));
}
