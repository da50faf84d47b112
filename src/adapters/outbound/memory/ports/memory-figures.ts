/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
import {
  STEPS_TOGETHER,
  type CountedSteps,
  type FiguresPort,
} from '../../../../application/ports/figures-port.ts';
import {
  beginOf,
  KEPT_FOR,
  STEPS,
  type Backlog,
  type FiguresOfStep,
  type Step,
} from '../../../../domain/figures/figure-steps.ts';
import { FigureCounter, type Figures } from '../../../../domain/figures/figures.ts';
import type { LatestCall } from '../../../../domain/calls/latest-calls.ts';
import type { FailureGroup } from '../../../../domain/jobs/failures.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { keptOrMade } from '../../../../domain/values/kept-or-made.ts';
import { mapInTurns } from './map-in-turns.ts';
import { RecordsOfQueues, type RecordsOfQueue } from '../records/records-of-queues.ts';
import { StepMap } from '../records/step-map.ts';
import type { MemoryStore } from '../state/memory-store.ts';

/** The values of one queue, or of all queues together, each kept by step (epoch ms) and source. */
interface Values extends Record<`figures:${Step}`, Figures>, Record<`backlog:${Step}`, Backlog> {
  readonly failures: readonly FailureGroup[];
  /** By source, in one step. */
  readonly calls: readonly LatestCall[];
  /** The start (epoch ms) of the minute that a caller is sampling, or sampled last, in one step. */
  readonly sampled: number;
}

/** One value as it is written. */
interface FiguresRecord<Value> {
  readonly value: Value;
}

/** The records of the figures of one queue, or of all queues together: `<name> <step> <source>`. */
class FiguresRecords implements RecordsOfQueue {
  readonly #maps = new Map<string, StepMap<FiguresRecord<unknown>>>();
  readonly #changed: (id: string) => void;

  constructor(changed: (id: string) => void) {
    this.#changed = changed;
  }

  of<Name extends keyof Values>(name: Name): StepMap<FiguresRecord<Values[Name]>> {
    return this.#of(name) as StepMap<FiguresRecord<Values[Name]>>;
  }

  find(id: string): object | undefined {
    const [name, step] = nameAndStep(id);
    return this.#of(name).find(step);
  }

  replace(id: string, record: FiguresRecord<unknown> | undefined): void {
    const [name, step] = nameAndStep(id);
    this.#of(name).replace(step, record);
  }

  *ids(): Generator<string> {
    for (const [name, map] of this.#maps) for (const step of map.ids()) yield `${name} ${step}`;
  }

  save({ source, minute, hour }: CountedSteps): void {
    this.of('figures:minute').put(minute.at, source, { value: copyOf(minute.figures) });
    this.of('figures:hour').put(hour.at, source, { value: copyOf(hour.figures) });
    for (const step of Object.keys(STEPS) as Step[]) {
      const oldest = minute.at - KEPT_FOR[step];
      this.of(`figures:${step}`).forget(oldest);
      this.of(`backlog:${step}`).forget(oldest);
    }
    this.of('failures').forget(minute.at - KEPT_FOR.minute);
  }

  sample(at: number, value: Backlog): void {
    this.of('backlog:minute').put(at, '', { value });
    this.of('backlog:hour').put(beginOf('hour', at), '', { value });
  }

  #of(name: string): StepMap<FiguresRecord<unknown>> {
    const note = (id: string): void => {
      this.#changed(`${name} ${id}`);
    };
    return keptOrMade(this.#maps, name, () => new StepMap(note));
  }
}

/** Figures in the memory of this process. They go with their queue. */
export function memoryFigures(store: MemoryStore): FiguresPort {
  const records = new RecordsOfQueues(store, 'figures', (changed) => new FiguresRecords(changed));
  const { total } = records;
  const names = (): readonly QueueName[] => [...store.all()].map(([name]) => name);
  const since = (name: keyof Values, first: number, among = names()): readonly QueueName[] =>
    among.filter((queue) => records.find(queue)?.of(name).isAnySince(first) === true);
  return {
    save: async (counted) => {
      const { queue, failures, source, minute, calls } = counted;
      const ofQueue = records.open(queue);
      ofQueue?.save(counted);
      if (calls.length > 0) ofQueue?.of('calls').put(0, source, { value: calls });
      if (failures.length > 0) ofQueue?.of('failures').put(minute.at, source, { value: failures });
    },
    saveTotal: async (counted) => total.save(counted),
    claimSample: async (at) => {
      const sampled = total.of('sampled');
      if (sampled.between(0, 0)[0]?.record.value === at) return false;
      sampled.put(0, '', { value: at });
      return true;
    },
    saveSample: async ({ at, total: ofAll, queues }) => {
      const waiting = new Map(queues.map(({ queue, backlog }) => [queue, backlog]));
      for (const name of names()) {
        const backlog = waiting.get(name);
        if (backlog !== undefined) records.open(name)?.sample(at, backlog);
        else records.find(name)?.of('backlog:hour').remove(beginOf('hour', at), '');
      }
      total.sample(at, ofAll);
    },
    read: async (queue, { step, first, last }) => {
      const own = records.find(queue ?? '');
      const stepsOf = (name: keyof Values): ReadonlySet<number> =>
        new Set(Array.from(total.of(name).between(first, last), ({ at }) => at));
      const backlogs = own?.of(`backlog:${step}`).between(first, last) ?? [];
      return {
        counted: stepsOf(`figures:${step}`),
        sampled: stepsOf(`backlog:${step}`),
        figures: figuresBetween(own, step, first, last),
        backlogs: backlogs.map(({ at, record }) => ({ at, backlog: record.value })),
      };
    },
    recent: async (queues, step, first) => {
      const last = first + (STEPS_TOGETHER[step] - 1) * STEPS[step];
      return mapInTurns(queues, (queue) => figuresBetween(records.find(queue), step, first, last));
    },
    countedSince: async (first) => since('figures:minute', first),
    failedSince: async (first, among) => since('failures', first, among),
    calls: async (queue) => valuesOf(records.find(queue), 'calls').flat(),
    forget: async (queue, traces) => {
      const ofQueue = records.find(queue);
      ofQueue?.of('calls').edit(({ value }) => ({ value: traces.callsWithout(queue, value) }));
      const failures = ofQueue?.of('failures');
      failures?.edit(({ value }) => ({ value: traces.failuresWithout(queue, value) }));
    },
    failures: async (first) =>
      names().flatMap((queue) => {
        const found = valuesOf(records.find(queue), 'failures', first);
        return found.map((failures) => ({ queue, failures }));
      }),
  };
}

function figuresBetween(
  records: FiguresRecords | undefined,
  step: Step,
  first: number,
  last: number,
): readonly FiguresOfStep[] {
  const found = records?.of(`figures:${step}`).between(first, last) ?? [];
  return found.map(({ at, record }) => ({ at, figures: record.value }));
}

function valuesOf<Name extends keyof Values>(
  records: FiguresRecords | undefined,
  name: Name,
  first = 0,
): readonly Values[Name][] {
  const found = records?.of(name).between(first, Infinity) ?? [];
  return found.map(({ record }) => record.value);
}

/** The id of a record, divided into the name of the value and the rest. */
function nameAndStep(id: string): readonly [name: string, step: string] {
  const end = id.indexOf(' ');
  return [id.slice(0, end), id.slice(end + 1)];
}

/** The counter that made the figures goes on counting, so they are copied. */
function copyOf(figures: Figures): Figures {
  const counter = new FigureCounter();
  counter.add(figures);
  return counter.figures;
}
