import { BEFORE_EVENTS, type EventId } from '../../src/domain/events/event-id.ts';
import { JOB_STATUSES } from '../../src/domain/jobs/job-status.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import type { DemandFacts } from '../../src/domain/queues/demand.ts';
import type { Job } from '../../src/domain/jobs/job.ts';
import type { JobAddress } from '../../src/domain/flows/flow.ts';
import { collected } from '../support/collected.ts';
import type { GroupStanding } from '../../src/domain/groups/group.ts';
import { without } from '../../src/domain/values/without.ts';
import { groupDefaults } from './operations/groups.ts';
import { DEDUPLICATION } from './operations/adding.ts';
import { shownEvents } from './shown-events.ts';
import { QUEUES, type Stage } from './stage.ts';

const ALL = { start: 0, length: 1000 };

/** Sees what the ports show of a store, step by step. */
export class Sight {
  readonly #stage: Stage;
  readonly #events = new Map<QueueName, EventId>();

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** Everything, and the events since the step before. */
  async look(): Promise<object> {
    const queues = await Promise.all(QUEUES.map((queue) => this.#queue(queue)));
    const jobs = await Promise.all(this.#stage.jobs.map((job) => this.#job(job)));
    return { queues: Object.fromEntries(queues), jobs: Object.fromEntries(jobs) };
  }

  async #queue(queue: QueueName): Promise<readonly [QueueName, object]> {
    const { queues, queueDirectory, schedulers, breakers, queueControl, groups, jobParts, demand } =
      this.#stage.harness;
    const known = this.#stage.jobs.filter((job) => job.queue === queue).map(({ id }) => id);
    const [
      { places, waiting },
      [glance],
      names,
      breaker,
      deduplication,
      planned,
      summary,
      groupsNow,
      summaries,
      [wanted],
      events,
    ] = await Promise.all([
      this.#places(queue),
      queueDirectory.glances([queue]),
      queueDirectory.names(),
      breakers.find(queue),
      queueControl.deduplication(queue, DEDUPLICATION),
      collected(schedulers.list(queue, ALL)),
      queues.summary(queue),
      collected(groups.list(queue, groupDefaults(queue))),
      collected(jobParts.summaries(queue, known)),
      demand.facts([{ queue, groups: groupDefaults(queue) }]),
      this.#newEvents(queue),
    ]);
    const hasGrouped = waiting.some(({ opts }) => opts.group !== undefined);
    const seen = {
      ...places,
      // Of a queue with groups, each store looks at some of the waiting jobs for the oldest.
      ...(hasGrouped ? without(summary, 'waitingSince') : summary),
      glance: glance && { isPaused: glance.isPaused, hold: glance.hold },
      isListed: names.includes(queue),
      demand: wanted && shownDemand(wanted, hasGrouped),
      breaker,
      deduplicated: deduplication?.jobId,
      schedulers: planned,
      groups: groupsNow.map((group) => shownGroup(group, this.#stage.harness.now())),
      summaries,
      events,
    };
    return [queue, seen];
  }

  /** The ids of the jobs by their status, in the order of listings. */
  async #places(queue: QueueName): Promise<{ places: object; waiting: readonly Job[] }> {
    let waiting: readonly Job[] = [];
    const places = await Promise.all(
      JOB_STATUSES.map(async (status) => {
        const { jobs } = await this.#stage.harness.queues.list(queue, {
          statuses: [status],
          ...ALL,
        });
        const listed = await collected(jobs);
        for (const { id } of listed) this.#stage.know({ queue, id });
        if (status !== 'waiting') return [status, endedTogether(listed)] as const;
        waiting = listed;
        const shown = waitingInGroups(listed);
        return [status, shown] as const;
      }),
    );
    return { places: Object.fromEntries(places), waiting };
  }

  async #job({ queue, id }: JobAddress): Promise<readonly [string, object]> {
    const { queues, flows } = this.#stage.harness;
    const [job, attempts, logs, children] = await Promise.all([
      queues.find(queue, id),
      queues.attempts(queue, id),
      queues.logs(queue, id, 0, ALL.length),
      collected(flows.children(queue, id)),
    ]);
    const lines = logs && (await collected(logs.logs));
    return [`${queue}/${id}`, { ...job, attempts, lines, children }];
  }

  async #newEvents(queue: QueueName): Promise<readonly unknown[]> {
    const after = this.#events.get(queue) ?? BEFORE_EVENTS;
    const { events, last } = await this.#stage.harness.events.read(queue, after);
    this.#events.set(queue, last);
    return shownEvents(events);
  }
}

/** Without times of the store's clock, and of a queue with groups without the age, as of summaries. */
function shownDemand(facts: DemandFacts, hasGrouped: boolean): object {
  const { active, waiting, waitingBehindLimits, due, dueBehindLimits, isPaused, isHeld } = facts;
  const { startableSince } = hasGrouped ? {} : facts;
  const counts = { active, waiting, waitingBehindLimits, due, dueBehindLimits };
  return { ...counts, isPaused, isHeld, startableSince };
}

/** Without a job that is due. On Redis it blocks its group until a claim has it wait. */
function shownGroup({ blocked, ...group }: GroupStanding, now: number): object {
  const isDue = blocked?.reason === 'failed-job' && (blocked.until ?? Infinity) <= now;
  return { ...group, blocked: isDue ? null : blocked };
}

/** Jobs without a group in their order. Where a list has those of groups is left to the store: claims show their order. */
function waitingInGroups(jobs: readonly Job[]): object {
  const idsOf = (some: readonly Job[]): string[] => some.map(({ id }) => id);
  const grouped = jobs.filter(({ opts }) => opts.group !== undefined);
  return {
    ungrouped: idsOf(jobs.filter(({ opts }) => opts.group === undefined)),
    grouped: idsOf(grouped).toSorted(compare),
  };
}

/** The ids, and in one entry those of jobs that ended at the same time: these have no order. */
function endedTogether(jobs: readonly Job[]): readonly string[] {
  const entries: { at: number | undefined; ids: string[] }[] = [];
  for (const { id, finishedOn } of jobs) {
    const last = entries.at(-1);
    if (finishedOn !== undefined && last?.at === finishedOn) last.ids.push(id);
    else entries.push({ at: finishedOn, ids: [id] });
  }
  return entries.map(({ ids }) => ids.toSorted(compare).join(' '));
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
