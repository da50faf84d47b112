import { expect } from 'chai';
import fc from 'fast-check';
import type { Attempt } from '../../../src/domain/attempts/attempt.ts';
import type { GroupDefaults, GroupSettings } from '../../../src/domain/groups/group-settings.ts';
import { addLetters, inGroup, turns } from '../../contracts/groups/group-steps.ts';
import {
  addOne,
  claimOf,
  COMPLETED,
  HOUR,
  retryAfter,
  uniqueQueue,
} from '../../contracts/queue-steps.ts';
import { memoryQueueHarness } from '../../support/memory-queue-harness.ts';

/** No two due times are the same, so that the order of due jobs is known. */
const STEP_OF_TIME = 50;
const IDS = ['a', 'b', 'c', ''] as const;
type Id = (typeof IDS)[number];

interface ModelJob {
  readonly id: string;
  readonly cost: number;
}

/** A group as section 13 of the platform contract describes it. */
class ModelGroup {
  readonly waiting: ModelJob[] = [];
  delayed: { readonly job: ModelJob; readonly dueAt: number }[] = [];
  starts: number[] = [];
  running = 0;
  isPaused = false;
  settings: GroupSettings = {};
  time = 0;
  wasReady = false;

  isReady(now: number): boolean {
    const { concurrency = Infinity, limiter } = this.settings;
    const counted = limiter && this.starts.filter((at) => at + limiter.duration * 1.05 > now);
    return (
      this.waiting.length > 0 &&
      !this.isPaused &&
      this.running < concurrency &&
      (limiter === undefined || (counted?.length ?? 0) < limiter.max)
    );
  }
}

/** Start-time fair queuing in a few lines. */
class Model {
  readonly groups = new Map<Id, ModelGroup>(IDS.map((id) => [id, new ModelGroup()]));
  time = 0;

  of(id: Id): ModelGroup {
    return this.groups.get(id) as ModelGroup;
  }

  /** Delayed jobs fall due as a claim looks for jobs. */
  settleTurns(now: number): void {
    const all = [...this.groups.values()];
    for (const group of all) {
      const due = group.delayed.filter(({ dueAt }) => dueAt <= now);
      due.sort((one, other) => one.dueAt - other.dueAt);
      group.delayed = group.delayed.filter(({ dueAt }) => dueAt > now);
      const behind = group.waiting.splice(0);
      const stillDue = behind.filter(({ id }) => this.#due.has(id));
      for (const { job } of due) this.#due.add(job.id);
      group.waiting.push(...stillDue, ...due.map(({ job }) => job));
      group.waiting.push(...behind.filter((job) => !stillDue.includes(job)));
    }
    this.noteReady(now);
  }

  /** A group that becomes ready begins at the later of its own time and that of the queue. */
  noteReady(now: number): void {
    for (const group of this.groups.values()) {
      const isReady = group.isReady(now);
      if (isReady && !group.wasReady) group.time = Math.max(group.time, this.time);
      group.wasReady = isReady;
    }
  }

  readonly #due = new Set<string>();

  /** When nothing waits or runs, turns start anew. */
  forgetIfIdle(): void {
    const all = [...this.groups.values()];
    if (all.some(({ waiting, running }) => waiting.length + running > 0)) return;
    this.time = 0;
    for (const group of all) group.time = 0;
  }

  /** The groups of which one must be next. */
  next(): Id[] {
    const ready = [...this.groups].filter(([, group]) => group.wasReady);
    const least = Math.min(...ready.map(([, { time }]) => time));
    return ready.filter(([, { time }]) => time - least < 1e-9).map(([id]) => id);
  }

  start(id: Id, now: number): ModelJob | undefined {
    const group = this.of(id);
    const job = group.waiting.shift();
    this.time = group.time;
    group.time += (job?.cost ?? 1) / (group.settings.weight ?? 1);
    group.running += 1;
    if (group.settings.limiter !== undefined) group.starts.push(now);
    return job;
  }
}

const group = fc.constantFrom(...IDS);
const settings = fc.record(
  {
    weight: fc.integer({ min: 1, max: 4 }),
    concurrency: fc.integer({ min: 1, max: 2 }),
    limiter: fc.record({ max: fc.integer({ min: 1, max: 2 }), duration: fc.constant(1000) }),
  },
  { requiredKeys: [] },
);
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      id: group,
      cost: fc.integer({ min: 1, max: 3 }),
      isDelayed: fc.boolean(),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('claim' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      which: fc.nat(5),
      isRetried: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('settings' as const), id: group, settings }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pause' as const), id: group }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('time' as const),
      steps: fc.integer({ min: 1, max: 30 }),
    }),
  },
);

describe('the turns of groups in memory', () => {
  it('are those of a model of fair queuing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 80 }), async (steps) => {
        const harness = memoryQueueHarness();
        const { queues, attempts, groups, advance, now } = harness;
        const queue = uniqueQueue();
        const model = new Model();
        const running: { readonly id: Id; readonly job: ModelJob; readonly attempt: Attempt }[] =
          [];
        const none: GroupDefaults = {};
        // From now on the jobs without a group take turns too.
        await addLetters(queues, queue, 'a');
        await turns(attempts, queue);
        for (const each of steps) {
          switch (each.kind) {
            case 'add': {
              const delay = each.isDelayed ? STEP_OF_TIME : 0;
              const opts = { ...(delay > 0 && { delay }) };
              const { id } = await addOne(
                queues,
                queue,
                each.id === '' ? opts : inGroup(each.id, opts, each.cost),
              );
              const job = { id, cost: each.id === '' ? 1 : each.cost };
              if (delay === 0) model.of(each.id).waiting.push(job);
              else model.of(each.id).delayed.push({ job, dueAt: now() + delay });
              if (delay > 0) await advance(1);
              break;
            }
            case 'settings':
              if (each.id === '') break;
              await groups.saveSettings(queue, each.id, each.settings);
              model.of(each.id).settings = each.settings;
              break;
            case 'pause': {
              if (each.id === '') break;
              const changed = model.of(each.id);
              changed.isPaused = !changed.isPaused;
              if (changed.isPaused) await groups.pause(queue, each.id);
              else await groups.resume(queue, each.id);
              break;
            }
            case 'end': {
              const [ended] = running.splice(each.which % Math.max(1, running.length), 1);
              if (ended === undefined) break;
              const { id, job, attempt } = ended;
              model.of(id).running -= 1;
              if (each.isRetried) {
                model.of(id).delayed.push({ job, dueAt: now() + STEP_OF_TIME });
                await attempts.settle(queue, attempt, retryAfter(STEP_OF_TIME));
                await advance(1);
              } else await attempts.settle(queue, attempt, COMPLETED);
              model.forgetIfIdle();
              break;
            }
            case 'time':
              await advance(each.steps * STEP_OF_TIME);
              break;
            case 'claim': {
              model.settleTurns(now());
              const claim = await attempts.claim(
                queue,
                claimOf({ lockDuration: HOUR, groups: none }),
              );
              const expected = model.next();
              if (claim.kind !== 'attempt') {
                expect(expected).to.deep.equal([]);
                break;
              }
              const { attempt } = claim;
              const id = (attempt.job.opts.group?.id ?? '') as Id;
              expect(expected).to.include(id);
              const job = model.start(id, now());
              expect(attempt.jobId).to.equal(job?.id);
              if (job !== undefined) running.push({ id, job, attempt });
            }
          }
          model.noteReady(now());
        }
      }),
      { numRuns: 300 },
    );
  });
});
