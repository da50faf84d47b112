import { keptOrMade } from '../values/kept-or-made.ts';
import { percentiles, type Percentiles } from '../calls/call-durations.ts';
import { invalidRequest } from '../errors.ts';
import {
  ANSWER_CLASSES,
  COUNTED,
  FigureCounter,
  type AnswerClass,
  type Counted,
  type Figures,
} from './figures.ts';
import {
  beginOf,
  NO_BACKLOG,
  STEPS,
  type Backlog,
  type BacklogOfStep,
  type FiguresOfStep,
  type Step,
} from './figure-steps.ts';

/** Maximum number of steps of a series. */
export const MOST_STEPS = 1500;

/** Which steps to read, as a client asks for them. Times are epoch ms. */
export interface FiguresQuery {
  /** A time within the first step; by default, an hour before `to`. */
  readonly from: number | undefined;
  /** A time within the last step; now by default. */
  readonly to: number | undefined;
  /** In milliseconds. */
  readonly step: number;
}

/** Consecutive steps; `first` and `last` are the start times (epoch ms) of the outer ones. */
export interface StepRange {
  readonly step: Step;
  readonly first: number;
  readonly last: number;
}

/** One value per step: null for a step that was not counted. */
export type Series = readonly (number | null)[];

type PercentileSeries = Readonly<Record<keyof Percentiles, Series>>;

export type FigureSeries = Readonly<Record<Counted, Series>> & {
  readonly cost: Series;
  /** At the end of the step. */
  readonly waiting: Series;
  readonly oldestWaiting: Series;
  readonly waitMs: PercentileSeries;
  readonly callMs: PercentileSeries;
  readonly status: Readonly<Record<AnswerClass, Series>>;
};

/** The records of some steps. */
export interface RecordedSteps {
  /** The start times of the steps that any source counted, even if nothing happened. */
  readonly counted: ReadonlySet<number>;
  /** The start times of the steps whose backlog was sampled. */
  readonly sampled: ReadonlySet<number>;
  /** The counts of the steps, from any number of sources per step, in no particular order. */
  readonly figures: readonly FiguresOfStep[];
  /** The backlog at the end of steps; a sampled step without an entry had none. */
  readonly backlogs: readonly BacklogOfStep[];
}

/**
 * The steps that a client asks for (platform contract, section 10).
 *
 * @throws DomainError `invalid-request` naming the field.
 */
export function stepRange({ from, to, step }: FiguresQuery, now: number): StepRange {
  const name = nameOf(step);
  const until = to ?? now;
  const last = beginOf(name, until);
  const since = from ?? Math.max(0, last - STEPS.hour + step);
  if (until < since) throw invalidRequest('to must not be before from', 'to');
  if ((until - since) / step > MOST_STEPS) {
    throw invalidRequest(`from and to must be at most ${MOST_STEPS} steps apart`, 'from');
  }
  return { step: name, first: beginOf(name, since), last };
}

function nameOf(step: number): Step {
  if (step === STEPS.minute) return 'minute';
  if (step === STEPS.hour) return 'hour';
  throw invalidRequest(`step must be ${STEPS.minute} or ${STEPS.hour}`, 'step');
}

/** The series of the range, from the records of its steps. */
export function figureSeries(range: StepRange, records: RecordedSteps): FigureSeries {
  const steps = timesOf(range);
  const figures = joinedByStep(records.figures);
  const backlogs = new Map(records.backlogs.map(({ at, backlog }) => [at, backlog]));
  const nothing = new FigureCounter().figures;
  const ofEach = steps.map((at): Figures | undefined => {
    return figures.get(at) ?? (records.counted.has(at) ? nothing : undefined);
  });
  const waiting = steps.map((at): Backlog | undefined => {
    return backlogs.get(at) ?? (records.sampled.has(at) ? NO_BACKLOG : undefined);
  });
  const each = (read: (some: Figures) => number): Series =>
    ofEach.map((some) => (some === undefined ? null : read(some)));
  return {
    ...record(COUNTED, (name) => each(({ counts }) => counts[name])),
    // Reports of a step may say less than its starts were to count, and those before it.
    cost: each(({ cost = 0 }) => Math.max(0, cost)),
    waiting: waiting.map((backlog) => backlog?.waiting ?? null),
    oldestWaiting: waiting.map((backlog) => backlog?.oldestWaiting ?? null),
    waitMs: percentileSeries(ofEach.map((some) => some?.waits)),
    callMs: percentileSeries(ofEach.map((some) => some?.calls)),
    status: record(ANSWER_CLASSES, (name) => each(({ answers }) => answers[name])),
  };
}

/** The sums over all sources, by the start time of the step. */
export function joinedByStep(all: readonly FiguresOfStep[]): ReadonlyMap<number, Figures> {
  const counters = new Map<number, FigureCounter>();
  for (const { at, figures } of all) {
    keptOrMade(counters, at, () => new FigureCounter()).add(figures);
  }
  return new Map([...counters].map(([at, counter]) => [at, counter.figures]));
}

/** The start time of each step, epoch ms. */
export function timesOf({ step, first, last }: StepRange): readonly number[] {
  const length = Math.floor((last - first) / STEPS[step]) + 1;
  return Array.from({ length }, (_, index) => first + index * STEPS[step]);
}

function percentileSeries(durations: readonly (Figures['calls'] | undefined)[]): PercentileSeries {
  const all = durations.map((some) => percentiles(some ?? {}));
  return record(['p50', 'p95', 'p99'], (name) => all.map((some) => some[name]));
}

function record<const Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>;
}
