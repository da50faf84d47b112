import type { ClockPort } from '../../../../application/ports/clock-port.ts';
import type {
  ErasurePort,
  ForgottenEvents,
  ForgottenSteps,
  SteppedJobs,
} from '../../../../application/ports/erasure-port.ts';
import type { EventId } from '../../../../domain/events/event-id.ts';
import type { KeptEvent } from '../../../../domain/events/kept-event.ts';
import { isErased, type ErasureFilter } from '../../../../domain/jobs/erasure.ts';
import type { Traces } from '../../../../domain/jobs/traces.ts';
import { piecesOf } from '../../../../domain/values/pieces.ts';
import { TOPIC_QUEUE } from '../../../../domain/queues/own-queue.ts';
import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { namedJobs } from '../../../../domain/records/remembered-add.ts';
import { scannedNames } from '../connection/scanned-names.ts';
import type { RedisClient } from '../connection/redis-client.ts';
import type { StoreCommands } from '../connection/store-commands.ts';
import { editEvents } from '../events/event-editing.ts';
import type { Existing } from '../scripts/adds.ts';
import { RECORDED } from '../layout/attempt-lines.ts';
import { GROUP_IDLE, GROUP_SHARES, SHARES_KEPT } from '../layout/group-keys.ts';
import { groupStartsKeys } from '../layout/group-starts-key.ts';
import { storedValue } from '../layout/job-record.ts';
import { groupIn, objectIn } from '../layout/job-summary.ts';
import type { QueueKeys } from '../layout/queue-keys.ts';
import { redactJobs, type RedactableJob } from '../scripts/families.ts';
import { redactedArguments } from './redacted-jobs.ts';
import type { StepsErasure } from './steps-erasure.ts';

/** How many jobs one run redacts: their values are freed in it. */
const JOBS_PER_RUN = 50;

/** How many small records one read takes. */
const RECORDS_PER_READ = 500;

type Remove = (client: RedisClient, names: readonly string[]) => Promise<number>;

type Fields = readonly (string | null)[];

/** Erases with the store's own commands in short reads, and with the script that redacts. */
export class RedisErasure implements ErasurePort {
  readonly #store: StoreCommands;
  readonly #clock: ClockPort;
  readonly #steps: StepsErasure;

  constructor(store: StoreCommands, clock: ClockPort, steps: StepsErasure) {
    this.#store = store;
    this.#clock = clock;
    this.#steps = steps;
  }

  forgetSteps(queue: QueueName, jobs: SteppedJobs, filter: ErasureFilter): Promise<ForgottenSteps> {
    return this.#steps.erase(queue, jobs, filter, this.#clock.now());
  }

  async redact(queue: QueueName, ids: readonly string[], traces: Traces): Promise<number> {
    const keys = this.#store.keysOf(queue);
    let redacted = 0;
    for (const some of piecesOf(ids, JOBS_PER_RUN)) {
      const names = some.map((id) => `${keys.jobPrefix}${id}`);
      const read = await this.#readEach(names, ['finishedOn', 'failedReason', RECORDED, 'opts']);
      const jobs = read.flatMap(([finishedOn, reason, attempts, opts], index) => {
        const id = some[index];
        if (id === undefined || typeof finishedOn !== 'string') return [];
        return [[id, finishedOn, reason ?? null, attempts ?? null, opts ?? null] as RedactableJob];
      });
      if (jobs.length === 0) continue;
      const args = jobs.flatMap((job) => redactedArguments(job, (text) => traces.holds(text)));
      const terms = { now: this.#clock.now(), state: '', mark: '' };
      redacted += await this.#store.call(redactJobs, keys, terms, args);
    }
    return redacted;
  }

  forgetEvents(queue: QueueName, traces: Traces, after?: EventId): Promise<ForgottenEvents> {
    const edit = (event: KeptEvent): KeptEvent => traces.eventWithout(queue, event);
    return editEvents(this.#store, queue, edit, after);
  }

  async forgetAdds(queue: QueueName, traces: Traces, filter: ErasureFilter): Promise<number> {
    const keys = this.#store.keysOf(queue);
    return (
      (await this.#forgetRemembered(keys, traces)) + (await this.#forgetSuccessors(keys, filter))
    );
  }

  async forgetGroups(queue: QueueName, traces: Traces): Promise<void> {
    const { jobPrefix } = this.#store.keysOf(queue);
    const meant = new Set<string>();
    const forget = async (names: readonly string[], remove: Remove): Promise<void> => {
      const groups = names.filter((group) => traces.isOfGroup(queue, group));
      for (const some of piecesOf(groups, RECORDS_PER_READ)) {
        await this.#store.run((client) => remove(client, some));
      }
      for (const group of groups) meant.add(group);
    };
    const idle = jobPrefix + GROUP_IDLE;
    const idleGroups = await scannedNames((cursor) =>
      this.#store.run((client) => client.zscan(idle, cursor, 'COUNT', RECORDS_PER_READ)),
    );
    await forget(idleGroups, (client, groups) => client.zrem(idle, ...groups));
    const [seconds] = await this.#store.run((client) => client.time());
    const minute = Math.floor(Number(seconds) / 60);
    for (let at = minute - Math.ceil(SHARES_KEPT / 60); at <= minute; at += 1) {
      const shares = `${jobPrefix}${GROUP_SHARES}${at}`;
      const started = await scannedNames((cursor) =>
        this.#store.run((client) => client.hscan(shares, cursor, 'COUNT', RECORDS_PER_READ)),
      );
      await forget(started, (client, groups) => client.hdel(shares, ...groups));
    }
    const windows = [...meant].flatMap((id) => groupStartsKeys(jobPrefix, id));
    for (const some of piecesOf(windows, RECORDS_PER_READ)) {
      await this.#store.run((client) => client.unlink(...some));
    }
  }

  /** Nothing to do: what Redis removed is in none of its keys. */
  scrub(): Promise<void> {
    return Promise.resolve();
  }

  async #forgetRemembered({ queue, idempotency }: QueueKeys, traces: Traces): Promise<number> {
    if (!traces.areIn(queue)) return 0;
    let forgotten = 0;
    for (let start = 0; ; start += RECORDS_PER_READ) {
      const end = start + RECORDS_PER_READ - 1;
      const entries = await this.#store.run((client) => client.lrange(idempotency, start, end));
      if (entries.length === 0) return forgotten;
      const records = [...new Set(entries.map((entry) => entry.slice(entry.indexOf(':') + 1)))].map(
        (key) => `${idempotency}-${key}`,
      );
      const texts = await this.#store.run((client) => client.mget(records));
      const meant = records.filter((_, index) =>
        jobsIn(queue, texts[index] ?? '').some((job) => traces.isOfJob(...job)),
      );
      if (meant.length > 0) forgotten += await this.#store.run((client) => client.unlink(...meant));
    }
  }

  /** Each waits for the end of an active job, which has the deduplication id. */
  async #forgetSuccessors(
    { jobPrefix, active }: QueueKeys,
    filter: ErasureFilter,
  ): Promise<number> {
    const ids = await this.#store.run((client) => client.lrange(active, 0, -1));
    let forgotten = 0;
    for (const some of piecesOf(ids, RECORDS_PER_READ)) {
      const jobs = some.map((id) => `${jobPrefix}${id}`);
      const held = await this.#readEach(jobs, ['deid']);
      const keys = held.flatMap(([id]) => (typeof id === 'string' ? [`${jobPrefix}dn:${id}`] : []));
      const waiting = await this.#readEach(keys, ['jid', 'data', 'opts']);
      for (const [index, [id, data, opts]] of waiting.entries()) {
        const key = keys[index];
        if (key === undefined || typeof data !== 'string') continue;
        const group = groupIn(objectIn(opts ?? ''));
        const values = { id: id ?? '', data: storedValue(data) };
        if (!isErased(filter, group === null ? values : { ...values, group })) continue;
        forgotten += await this.#store.run((client) => client.unlink(key));
      }
    }
    return forgotten;
  }

  async #readEach(keys: readonly string[], fields: readonly string[]): Promise<readonly Fields[]> {
    if (keys.length === 0) return [];
    return this.#store.run(async (client) => {
      const pipeline = client.pipeline();
      for (const key of keys) pipeline.hmget(key, ...fields);
      const results = (await pipeline.exec()) ?? [];
      // What another program keeps under the name of a job is none.
      return results.map(([error, values]) => (error === null ? (values as Fields) : []));
    });
  }
}

/** The jobs that a remembered add names. */
function jobsIn(queue: QueueName, record: string): ReturnType<typeof namedJobs> {
  const colon = record.indexOf(':');
  const add = colon < 1 ? null : storedValue(record.slice(colon + 1));
  if (!Array.isArray(add)) return [];
  // An empty list of a script is an object.
  const [, , existing, origin = ''] = add as unknown as [string, string, unknown, string?];
  const found = Array.isArray(existing) ? (existing as Existing[]) : [];
  const ids = found.map(([position, id]) => [position, id] as const);
  return namedJobs(queue, ids, queue === TOPIC_QUEUE ? storedValue(origin) : undefined);
}
