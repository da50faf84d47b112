/* eslint-disable @typescript-eslint/require-await -- async turns what a step throws into a rejection */
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
  type Backlog,
  type FiguresOfStep,
  type Step,
} from '../../../../domain/figures/figure-steps.ts';
import { FigureCounter, type Figures } from '../../../../domain/figures/figures.ts';
import type { LatestCall } from '../../../../domain/calls/latest-calls.ts';
import type { FailureGroup } from '../../../../domain/jobs/failures.ts';
import type { Traces } from '../../../../domain/jobs/traces.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { mapInTurns } from './map-in-turns.ts';
import type { MemoryStore } from '../state/memory-store.ts';
import type { StoredQueue } from '../state/stored-queue.ts';

/** One step of one of the figures, as it is written. */
interface FiguresRecord {
  readonly value: unknown;
}

/** The records of one queue, or of all queues together. Maps are keyed by the start of the step (epoch ms). */
class Records {
  readonly figures: Readonly<Record<Step, StepMap<Figures>>>;
  readonly backlogs: Readonly<Record<Step, StepMap<Backlog>>>;
  readonly failures: StepMap<readonly FailureGroup[]>;
  /** By source, in one step. */
  readonly calls: StepMap<readonly LatestCall[]>;
  /** The start (epoch ms) of the minute that a caller is sampling, or sampled last, in one step. */
  readonly sampled: StepMap<number>;
  readonly #maps = new Map<string, StepMap<unknown>>();

  /** @param changed receives the id of each record that changes. */
  constructor(changed: (id: string) => void) {
    const steps = <Value>(name: string): StepMap<Value> => {
      const map = new StepMap<Value>((at, source) => {
        changed(`${name} ${at} ${source}`);
      });
      this.#maps.set(name, map);
      return map;
    };
    this.figures = { minute: steps('figures:minute'), hour: steps('figures:hour') };
    this.backlogs = { minute: steps('backlog:minute'), hour: steps('backlog:hour') };
    this.failures = steps('failures');
    this.calls = steps('calls');
    this.sampled = steps('sampled');
  }

  read(id: string): object | undefined {
    const [name = '', at = '', ...source] = id.split(' ');
    const value = this.#maps.get(name)?.get(Number(at), source.join(' '));
    return value === undefined ? undefined : { value };
  }

  restore(id: string, value: unknown): void {
    const [name = '', at = '', ...source] = id.split(' ');
    this.#maps.get(name)?.restore(Number(at), source.join(' '), value);
  }

  *ids(): Generator<string> {
    for (const [name, map] of this.#maps) {
      for (const [at, source] of map.keys()) yield `${name} ${at} ${source}`;
    }
  }

  remove(id: string): void {
    const [name = '', at = '', ...source] = id.split(' ');
    this.#maps.get(name)?.remove(Number(at), source.join(' '));
  }

  save({ source, minute, hour }: CountedSteps): void {
    this.figures.minute.set(minute.at, source, copyOf(minute.figures));
    this.figures.hour.set(hour.at, source, copyOf(hour.figures));
    this.#forget(minute.at);
  }

  sample(at: number, backlog: Backlog): void {
    this.backlogs.minute.set(at, '', backlog);
    this.backlogs.hour.set(beginOf('hour', at), '', backlog);
  }

  #forget(now: number): void {
    for (const step of Object.keys(STEPS) as Step[]) {
      const oldest = now - KEPT_FOR[step];
      this.figures[step].forget(oldest);
      this.backlogs[step].forget(oldest);
    }
    this.failures.forget(now - KEPT_FOR.minute);
  }
}

/** Values by step and source. */
class StepMap<Value> {
  readonly #steps = new Map<number, Map<string, Value>>();
  readonly #changed: (at: number, source: string) => void;

  constructor(changed: (at: number, source: string) => void) {
    this.#changed = changed;
  }

  get(at: number, source: string): Value | undefined {
    return this.#steps.get(at)?.get(source);
  }

  set(at: number, source: string, value: Value): void {
    this.restore(at, source, value);
    this.#changed(at, source);
  }

  restore(at: number, source: string, value: Value): void {
    const sources = this.#steps.get(at);
    if (sources === undefined) this.#steps.set(at, new Map([[source, value]]));
    else sources.set(source, value);
  }

  /** Replaces all values. */
  change(changed: (value: Value) => Value): void {
    for (const [at, sources] of this.#steps) {
      for (const [source, value] of sources) this.set(at, source, changed(value));
    }
  }

  *keys(): Generator<readonly [at: number, source: string]> {
    for (const [at, sources] of this.#steps)
      for (const source of sources.keys()) yield [at, source];
  }

  remove(at: number, source: string): void {
    const sources = this.#steps.get(at);
    sources?.delete(source);
    if (sources?.size === 0) this.#steps.delete(at);
  }

  between(first: number, last: number): readonly { readonly at: number; readonly value: Value }[] {
    return [...this.#steps]
      .filter(([at]) => at >= first && at <= last)
      .flatMap(([at, sources]) => [...sources.values()].map((value) => ({ at, value })));
  }

  isAnySince(first: number): boolean {
    for (const at of this.#steps.keys()) if (at >= first) return true;
    return false;
  }

  forget(oldest: number): void {
    for (const at of this.#steps.keys()) {
      if (at >= oldest) return;
      this.delete(at);
    }
  }

  delete(at: number): void {
    for (const source of this.#steps.get(at)?.keys() ?? []) this.#changed(at, source);
    this.#steps.delete(at);
  }
}

/** Figures in the memory of this process. */
export class MemoryFigures implements FiguresPort {
  readonly #store: MemoryStore;
  readonly #total: Records;
  /** They go with their queue. */
  readonly #queues = new WeakMap<StoredQueue, Records>();

  constructor(store: MemoryStore) {
    this.#store = store;
    const { records } = store;
    this.#total = new Records((id) => {
      records.changes.note('figures', '', id);
    });
    records.keepWithQueues('figures', {
      read: (queue, id) => (queue === '' ? this.#total : this.#find(queue))?.read(id),
      restore: (queue, id, record) => {
        const kept = queue === '' ? this.#total : this.#open(queue);
        kept?.restore(id, (record as FiguresRecord).value);
        return kept !== undefined;
      },
      remove: (queue, id) => {
        (queue === '' ? this.#total : this.#find(queue))?.remove(id);
      },
      ids: (queue) => this.#find(queue)?.ids() ?? [],
    });
  }

  async save(counted: CountedQueue): Promise<void> {
    const records = this.#open(counted.queue);
    records?.save(counted);
    const { failures, source, minute, calls } = counted;
    if (calls.length > 0) records?.calls.set(0, source, calls);
    if (failures.length > 0) records?.failures.set(minute.at, source, failures);
  }

  async saveTotal(counted: CountedSteps): Promise<void> {
    this.#total.save(counted);
  }

  async claimSample(at: number): Promise<boolean> {
    const { sampled } = this.#total;
    if (sampled.get(0, '') === at) return false;
    sampled.set(0, '', at);
    return true;
  }

  async saveSample({ at, total, queues }: SampledMinute): Promise<void> {
    const waiting = new Map(queues.map(({ queue, backlog }) => [queue, backlog]));
    for (const [name] of this.#store.all()) {
      const backlog = waiting.get(name);
      if (backlog === undefined) this.#find(name)?.backlogs.hour.delete(beginOf('hour', at));
      else this.#open(name)?.sample(at, backlog);
    }
    this.#total.sample(at, total);
  }

  async read(queue: QueueName | undefined, range: StepRange): Promise<RecordedSteps> {
    const { step, first, last } = range;
    const own = queue === undefined ? this.#total : this.#find(queue);
    const total = this.#total;
    return {
      counted: new Set(total.figures[step].between(first, last).map(({ at }) => at)),
      sampled: new Set(total.backlogs[step].between(first, last).map(({ at }) => at)),
      figures: own === undefined ? [] : figuresBetween(own, step, first, last),
      backlogs: (own?.backlogs[step].between(first, last) ?? []).map(({ at, value }) => {
        return { at, backlog: value };
      }),
    };
  }

  async recent(
    queues: readonly QueueName[],
    step: Step,
    first: number,
  ): Promise<readonly (readonly FiguresOfStep[])[]> {
    const last = first + (STEPS_TOGETHER[step] - 1) * STEPS[step];
    return mapInTurns(queues, (queue) => {
      const records = this.#find(queue);
      return records === undefined ? [] : figuresBetween(records, step, first, last);
    });
  }

  async countedSince(first: number): Promise<readonly QueueName[]> {
    return this.#names().filter(
      (queue) => this.#find(queue)?.figures.minute.isAnySince(first) === true,
    );
  }

  async failedSince(first: number, among = this.#names()): Promise<readonly QueueName[]> {
    return among.filter((queue) => this.#find(queue)?.failures.isAnySince(first) === true);
  }

  async calls(queue: QueueName): Promise<readonly LatestCall[]> {
    return (this.#find(queue)?.calls.between(0, 0) ?? []).flatMap(({ value }) => value);
  }

  async forget(queue: QueueName, traces: Traces): Promise<void> {
    const records = this.#find(queue);
    records?.calls.change((calls) => traces.callsWithout(queue, calls));
    records?.failures.change((groups) => traces.failuresWithout(queue, groups));
  }

  async failures(first: number): Promise<readonly FailuresOfQueue[]> {
    return this.#names().flatMap((queue) =>
      (this.#find(queue)?.failures.between(first, Infinity) ?? []).map(({ value }) => {
        return { queue, failures: value };
      }),
    );
  }

  #names(): readonly QueueName[] {
    return [...this.#store.all()].map(([name]) => name);
  }

  #find(name: QueueName): Records | undefined {
    const queue = this.#store.find(name);
    return queue && this.#queues.get(queue);
  }

  /** Undefined for a queue that no longer exists. */
  #open(name: QueueName): Records | undefined {
    const queue = this.#store.find(name);
    if (queue === undefined) return undefined;
    let records = this.#queues.get(queue);
    if (records === undefined) {
      records = new Records((id) => {
        this.#store.records.changes.note('figures', name, id);
      });
      this.#queues.set(queue, records);
    }
    return records;
  }
}

function figuresBetween(
  { figures }: Records,
  step: Step,
  first: number,
  last: number,
): readonly FiguresOfStep[] {
  return figures[step].between(first, last).map(({ at, value }) => ({ at, figures: value }));
}

/** The counter that made the figures goes on counting, so they are copied. */
function copyOf(figures: Figures): Figures {
  const counter = new FigureCounter();
  counter.add(figures);
  return counter.figures;
}
