import { randomUUID } from 'node:crypto';
import { CLOSED_BREAKER } from '../../../../domain/attempts/breaker.ts';
import type { HooksOfJobs } from '../../../../domain/hooks/hooks-of-jobs.ts';
import type { EventName } from '../../../../domain/events/queue-event.ts';
import { NO_GROUP } from '../../../../domain/groups/group-id.ts';
import { isOwnQueue } from '../../../../domain/queues/own-queue.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { JobRecord } from '../../../../domain/records/job-record.ts';
import type { QueueRecord } from '../../../../domain/records/queue-record.ts';
import type { RememberedReport } from '../../../../domain/records/remembered-report.ts';
import type { SchedulerRecord } from '../../../../domain/records/scheduler-record.ts';
import type { Calendar } from '../../../../domain/schedulers/slots.ts';
import { forgetIfSpent } from '../../../../domain/transitions/groups/turns.ts';
import type { QueueState } from '../../../../domain/transitions/queue-state.ts';
import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type { KeptValues } from '../records/kept-values.ts';
import type { ValueKey } from '../records/value-key.ts';
import { CallWindow } from './call-window.ts';
import { pieceRecordId } from '../records/limiter-record.ts';
import { KeyedRecords } from '../records/keyed-records.ts';
import { QueueRecords } from '../records/queue-records.ts';
import type { QueueEvents } from './queue-events.ts';
import type { ChangesOfQueue } from '../records/record-changes.ts';
import { StagedJobs } from './staged-jobs.ts';
import { StoredAdds } from './stored-adds.ts';
import { StoredDeduplications } from './stored-deduplications.ts';
import { StoredGroups } from './stored-groups.ts';
import type { RecentPayloads } from './recent-payloads.ts';
import type { StoredJob } from './stored-job.ts';
import { StoredJobs } from './stored-jobs.ts';
import type { StoredLimits } from './stored-limits.ts';
import { StoredSignals } from './stored-signals.ts';
import { WakeUp } from './wake-up.ts';

/** What the queues of one store share. */
export interface Surroundings {
  readonly clock: ClockPort;
  readonly calendar: Calendar;
  /** The prefix of qualified names of queues. */
  readonly prefix: string;
  /** The name of this replica. */
  readonly replica: string;
  /** Reads what is not in memory. */
  readonly values: KeptValues;
  /** Receives each queue with a job that a step needs all of and does not have. */
  readonly wants: (queue: QueueName) => void;
  readonly payloads: RecentPayloads;
  readonly limits: StoredLimits;
  readonly other: (queue: QueueName) => StoredQueue | undefined;
  readonly opened: (queue: QueueName) => StoredQueue;
  readonly hooksOf: (queue: QueueName) => HooksOfJobs;
  readonly skipsSlots: () => boolean;
  /** Receives each job that ended. */
  readonly ended: (queue: QueueName, job: StoredJob) => void;
}

const NEW_QUEUE: QueueRecord = {
  isCreated: false,
  isPaused: false,
  isPulled: false,
  claimedAt: undefined,
  stalledCheckAt: 0,
  hold: undefined,
  pause: undefined,
  isFull: undefined,
  callbacks: undefined,
  breaker: CLOSED_BREAKER,
  endingCalls: new Map(),
  calls: new Map(),
  lastId: 0,
  starts: 0,
};

/** The state of one queue in memory, which transitions read and change. Nothing is decided here. */
export class StoredQueue implements QueueState {
  readonly name: QueueName;
  /** Distinguishes the queue from a removed one of the same name. */
  identity: string = randomUUID();
  readonly jobs: StoredJobs;
  /** What is stored of jobs that are not there yet. */
  readonly staged: StagedJobs;
  readonly groups: StoredGroups;
  readonly starts: CallWindow;
  readonly deduplications: StoredDeduplications;
  readonly schedulers: KeyedRecords<SchedulerRecord>;
  readonly adds: StoredAdds;
  readonly reports: KeyedRecords<RememberedReport>;
  readonly signals: StoredSignals;
  /** Its latest events. */
  readonly events: QueueEvents;
  readonly records: QueueRecords;
  readonly #surroundings: Surroundings;
  readonly #changes: ChangesOfQueue;
  readonly #wakeUp: WakeUp;
  readonly #isOwn: boolean;
  readonly #record: { -readonly [Field in keyof QueueRecord]: QueueRecord[Field] } = {
    ...NEW_QUEUE,
  };

  constructor(
    name: QueueName,
    surroundings: Surroundings,
    events: QueueEvents,
    changes: ChangesOfQueue,
  ) {
    this.name = name;
    this.#isOwn = isOwnQueue(name);
    this.events = events;
    this.#surroundings = surroundings;
    this.#changes = changes;
    this.#wakeUp = new WakeUp(surroundings.clock);
    this.staged = new StagedJobs(changes, this);
    const starts = (): number => this.#record.starts;
    this.jobs = new StoredJobs(name, changes, surroundings, starts, this.staged);
    this.groups = new StoredGroups(changes, (job) => this.staged.reserved(job)?.[1]);
    this.starts = new CallWindow((piece) => {
      changes.note('limiter', pieceRecordId(NO_GROUP, piece));
    });
    this.deduplications = new StoredDeduplications(changes.note.bind(changes, 'deduplication'));
    this.schedulers = new KeyedRecords(changes.note.bind(changes, 'scheduler'));
    this.adds = new StoredAdds(changes.note.bind(changes, 'add'));
    this.reports = new KeyedRecords(changes.note.bind(changes, 'report'));
    this.signals = new StoredSignals(name, changes, surroundings);
    this.records = new QueueRecords(this, changes);
  }

  get prefix(): string {
    return this.#surroundings.prefix;
  }

  get replica(): string {
    return this.#surroundings.replica;
  }

  skipsSlots(): boolean {
    return this.#surroundings.skipsSlots();
  }

  get calendar(): Calendar {
    return this.#surroundings.calendar;
  }

  get limits(): StoredLimits {
    return this.#surroundings.limits;
  }

  get values(): KeptValues {
    return this.#surroundings.values;
  }

  get record(): QueueRecord {
    return this.#record;
  }

  change(changes: Partial<QueueRecord>): void {
    Object.assign(this.#record, changes);
    this.#changes.note('queue', '');
  }

  other(queue: QueueName): StoredQueue | undefined {
    return this.#surroundings.other(queue);
  }

  opened(queue: QueueName): StoredQueue {
    return this.#surroundings.opened(queue);
  }

  get hooks(): HooksOfJobs {
    return this.#surroundings.hooksOf(this.name);
  }

  /** Nobody can follow the events of a queue of the service itself. */
  note(
    name: EventName,
    jobId?: string,
    detail?: string | number,
    group = jobId === undefined ? undefined : this.jobs.find(jobId)?.group?.id,
  ): void {
    if (!this.#isOwn) this.events.record(name, jobId, detail, group);
  }

  /** To be called once all values of an owner are on a disk as they are now. */
  stored({ of, id }: Pick<ValueKey, 'of' | 'id'>): void {
    if (of === 'events') this.events.stored(id);
    else if (of === 'signal-body') this.signals.bodies.stored(id);
    else this.jobs.stored({ of, id });
    this.#surroundings.payloads.makeRoom();
  }

  /** To be called once the payloads of jobs are on a disk, although nothing of these jobs may have been written. */
  keep(jobs: readonly Pick<JobRecord, 'id'>[]): void {
    for (const { id } of jobs) this.jobs.keep(id);
    this.#surroundings.payloads.makeRoom();
  }

  /** Takes out a job that was restored although it is only staged. @returns it. */
  withdraw(id: string): StoredJob | undefined {
    const job = this.jobs.find(id);
    if (job === undefined) return undefined;
    this.groups.takeWaiting(job);
    this.jobs.replace(id, undefined);
    const group = job.group && this.groups.find(job.group.id);
    if (group !== undefined) forgetIfSpent(this.groups, group);
    return job;
  }

  /** Puts a withdrawn job back: it is there from now on. */
  putBack(job: StoredJob): void {
    this.jobs.putBack(job);
    this.groups.restoreWaiting(job);
  }

  announceEnd(job: StoredJob): void {
    this.#surroundings.ended(this.name, job);
  }

  wake(): void {
    this.#wakeUp.notify();
  }

  /**
   * Resolves after each step that may let a claim succeed, and once for each due time of a delayed job.
   *
   * @param until epoch ms.
   */
  waitForJobs(until: number, signal: AbortSignal): Promise<void> {
    const dueAt = this.jobs.in.delayed.first()?.position?.rank;
    return this.#wakeUp.wait(until, dueAt, signal);
  }

  /** Takes the record as it was written. */
  restore(record: QueueRecord): void {
    // JSON leaves out what is undefined.
    Object.assign(this.#record, NEW_QUEUE, record);
  }
}
