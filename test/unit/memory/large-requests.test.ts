import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { memoryExpiry } from '../../../src/adapters/outbound/memory/ports/memory-expiry.ts';
import { memoryAttempts } from '../../../src/adapters/outbound/memory/ports/memory-attempts.ts';
import { memoryFlows } from '../../../src/adapters/outbound/memory/ports/memory-flows.ts';
import { memoryJobSignals } from '../../../src/adapters/outbound/memory/ports/memory-job-signals.ts';
import { memoryQueueControl } from '../../../src/adapters/outbound/memory/ports/memory-queue-control.ts';
import { memoryQueues } from '../../../src/adapters/outbound/memory/ports/memory-queues.ts';
import { memorySteps } from '../../../src/adapters/outbound/memory/ports/memory-steps.ts';
import {
  MOST_IN_PIECE,
  Steps,
  type RunsSteps,
} from '../../../src/adapters/outbound/memory/ports/steps.ts';
import { KeptValues } from '../../../src/adapters/outbound/memory/records/kept-values.ts';
import { RECORD_KINDS } from '../../../src/adapters/outbound/memory/records/record-changes.ts';
import type {
  RecordChange,
  RecordKey,
} from '../../../src/adapters/outbound/memory/records/record.ts';
import { readId } from '../../../src/adapters/outbound/memory/records/record-ids.ts';
import { StoreRecords } from '../../../src/adapters/outbound/memory/records/store-records.ts';
import type { MemoryStore } from '../../../src/adapters/outbound/memory/state/memory-store.ts';
import { SharedChanges } from '../../../src/adapters/outbound/postgres/rounds/shared-changes.ts';
import type { NewFlowJob } from '../../../src/domain/flows/flow.ts';
import { isQueueFull } from '../../../src/domain/errors.ts';
import type { NewJob } from '../../../src/domain/jobs/job.ts';
import type { Json } from '../../../src/domain/values/json.ts';
import type { Attempt } from '../../../src/domain/attempts/attempt.ts';
import type { SuspensionRequest } from '../../../src/domain/steps/suspension-request.ts';
import type { AttemptEnginePort } from '../../../src/application/ports/attempt-engine-port.ts';
import type { JobSignalPort } from '../../../src/application/ports/job-signal-port.ts';
import type { StepPort } from '../../../src/application/ports/step-port.ts';
import type { FlowPort } from '../../../src/application/ports/flow-port.ts';
import type { QueueControlPort } from '../../../src/application/ports/queue-control-port.ts';
import type { QueuePort } from '../../../src/application/ports/queue-port.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import {
  addOne,
  countsOf,
  jobOf,
  NO_JOBS,
  take,
  uniqueQueue,
} from '../../contracts/queue-steps.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { memoryStore } from '../../support/memory-store.ts';
import { rejection } from '../../support/rejection.ts';

const MANY = 3500;
const MINUTE = 60_000;

/** As of `RunsSteps`. */
const RECORDS = { stagesRecords: true } as const;

const clock = new FakeClock();

/** A store, and what it writes: a write after each piece of a large request. */
class Scene {
  readonly writes: (readonly RecordChange[])[] = [];
  readonly store: MemoryStore;
  readonly queues: QueuePort;
  readonly flows: FlowPort;
  readonly queueControl: QueueControlPort;
  readonly attempts: AttemptEnginePort;
  readonly steps: StepPort;
  readonly jobSignals: JobSignalPort;
  readonly #changed = new SharedChanges();
  readonly #kept = new KeptValues();
  readonly #records = new StoreRecords(this.#changed, this.#kept);

  readonly #stages: Pick<RunsSteps, 'stagesRecords'>;

  /** @param stages as of `RunsSteps`. */
  constructor(
    stages: Pick<RunsSteps, 'stagesRecords'> = {},
    written: readonly RecordChange[] = [],
  ) {
    this.#stages = stages;
    const values = new Map(written.map((record) => [keyOf(record), record.value]));
    this.#kept.readFrom({
      find: (groups) =>
        Promise.resolve(groups.map((keys) => keys.map((key) => values.get(keyOf(key))))),
    });
    this.store = memoryStore(clock, {}, this.#records);
    for (const { kind, queue, id, value = 'null' } of written) {
      this.#records.restore(kind, queue as QueueName, readId(id), JSON.parse(value));
    }
    this.#records.restored();
    this.store.restored();
    const steps = new Steps({
      ...stages,
      small: (step) => Promise.resolve().then(step),
      piece: async (step) => {
        await turn();
        const answer = await step();
        this.write();
        return answer;
      },
    });
    this.queues = memoryQueues(this.store, steps);
    this.flows = memoryFlows(this.store, steps);
    this.queueControl = memoryQueueControl(this.store, steps);
    this.attempts = memoryAttempts(this.store, steps);
    this.steps = memorySteps(this.store, steps);
    this.jobSignals = memoryJobSignals(this.store, steps);
  }

  write(): void {
    const read = this.#records.read.bind(this.#records);
    const changes = this.#changed.take(read);
    if (changes.length > 0) this.writes.push(changes);
  }

  /** Takes what another replica wrote. */
  take(changes: readonly RecordChange[]): void {
    const announce = this.#changed.whileReplacing(() => {
      for (const kind of RECORD_KINDS) {
        for (const { queue, id, value } of changes.filter((change) => change.kind === kind)) {
          const record: unknown = value === undefined ? undefined : JSON.parse(value);
          this.#records.replace(kind, queue as QueueName, readId(id), record);
        }
      }
      this.#records.restored();
      return this.store.replaced();
    });
    announce();
  }

  /** A store that is opened with what was written by the end of a write. */
  openedAfter(writes: number): Scene {
    return new Scene(this.#stages, recordsAfter(this.writes.slice(0, writes)));
  }

  /** Resolves once a claim of the queue may succeed. */
  woken(queue: QueueName): Promise<void> {
    return this.store.open(queue).waitForJobs(Infinity, new AbortController().signal);
  }

  /** How many records of a kind each write has. */
  written(kind: string): readonly number[] {
    return this.writes.map((changes) => changes.filter((change) => change.kind === kind).length);
  }
}

/** The records that some writes leave, in the order of their keys. */
function recordsAfter(writes: readonly (readonly RecordChange[])[]): readonly RecordChange[] {
  const written = new Map<string, RecordChange>();
  for (const change of writes.flat()) {
    const key = keyOf(change);
    if (change.value === undefined) written.delete(key);
    else written.set(key, change);
  }
  return [...written].sort().map(([, change]) => change);
}

function keyOf({ kind, queue, id }: RecordKey): string {
  return JSON.stringify([kind, queue, id]);
}

function plain(count: number, data: Json = 1): readonly NewJob[] {
  return Array.from({ length: count }, () => jobOf({}, data));
}

function grouped(count: number): readonly NewJob[] {
  return Array.from({ length: count }, (_, n) => jobOf({ group: { id: `group-${n % 500}` } }));
}

function flow(
  queue: QueueName,
  children: number,
  jobs: readonly NewJob[] = plain(children),
): readonly NewFlowJob[] {
  const of = (n: number): NewFlowJob => {
    const job = jobs[n] ?? jobOf();
    return { queue, id: `child-${n}`, job, parent: 0, isParent: false, onFailure: 'fail' };
  };
  const root = { ...of(0), job: jobOf(), id: 'root', parent: undefined, isParent: true };
  return [root, ...Array.from({ length: children }, (_, n) => of(n))];
}

/** Takes a job of another queue. */
async function taken({ queues, attempts }: Scene): Promise<readonly [QueueName, Attempt]> {
  const other = uniqueQueue();
  await addOne(queues, other);
  return [other, await take(attempts, other)];
}

function requestOf(given: Partial<SuspensionRequest>): SuspensionRequest {
  const nothing = { steps: [], sleeps: [], signals: [], added: [], maxWaiting: new Map() };
  return { ...nothing, id: 'added', ...given };
}

function adding(queue: QueueName, count: number): SuspensionRequest {
  const jobs = plain(count, 'x'.repeat(9000)).map((job) => ({ queue, job }));
  return requestOf({ added: [{ name: 'ship', jobs }] });
}

const ADDS: Readonly<Record<string, (scene: Scene, queue: QueueName) => Promise<unknown>>> = {
  'plain jobs': ({ queues }, queue) => queues.add(queue, plain(MANY)),
  'jobs in groups': ({ queues }, queue) => queues.add(queue, grouped(MANY)),
  'a flow in groups': ({ flows }, queue) =>
    flows.add(flow(queue, MANY, grouped(MANY)), () => undefined),
  'jobs with ids': ({ queues }, queue) =>
    queues.add(
      queue,
      Array.from({ length: MANY }, (_, n) => jobOf({ jobId: `job-${n}` })),
    ),
  'large jobs': ({ queues }, queue) => queues.add(queue, plain(8, 'x'.repeat(400_000))),
  'a flow': ({ flows }, queue) => flows.add(flow(queue, MANY), () => undefined),
  'jobs of a step': async (scene, queue) => {
    const [other, attempt] = await taken(scene);
    const ending = { kind: 'suspended', request: adding(queue, 500) } as const;
    expect(await scene.attempts.settle(other, attempt, ending)).to.deep.equal({ held: true });
  },
  'jobs of a step that is reported': async (scene, queue) => {
    const [other, attempt] = await taken(scene);
    const request = adding(queue, 500);
    expect(await scene.steps.suspend(other, attempt, request)).to.equal('recorded');
  },
};

function jobsIn(scene: Scene, queue: QueueName): Promise<number> {
  return countsOf(scene.queues, queue).then((counts) =>
    Object.values(counts).reduce((sum, count) => sum + count, 0),
  );
}

function inOrder({ store }: Scene, queue: QueueName): readonly string[] {
  return store.peek(queue).jobs.inOrderOfRemoval.map(({ id }) => id);
}

/** The groups of a queue, each with the place of its first job. */
function inTurns({ store }: Scene, queue: QueueName): readonly unknown[] {
  const { groups } = store.peek(queue);
  return [...groups.all()]
    .map((group) => {
      const { id, groupPosition } = groups.jobsOf(group).first() ?? {};
      return [groups.record(group.id), groups.jobsOf(group).size, id, groupPosition];
    })
    .sort((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)));
}

describe('a large request in memory', () => {
  const adds = Object.entries(ADDS).flatMap(([what, add]) => [
    { what, add, stages: {} },
    { what: `${what} with their records`, add, stages: RECORDS },
  ]);
  for (const { what, add, stages } of adds) {
    // holds: adding.large, store.fair-steps
    it(`stores ${what} in pieces, and a store opened after any write has all of them or none`, async () => {
      const scene = new Scene(stages);
      const queue = uniqueQueue();
      await add(scene, queue);
      const all = await jobsIn(scene, queue);
      for (const payloads of scene.written('payload')) {
        expect(payloads).to.be.at.most(MOST_IN_PIECE.jobs);
      }
      const sizes = scene.writes.map((changes) =>
        changes.reduce((sum, { kind, value = '' }) => {
          return kind === 'payload' ? sum + value.length : sum;
        }, 0),
      );
      expect(Math.max(...sizes)).to.be.at.most(1.1 * MOST_IN_PIECE.characters);
      const last = scene.writes.length;
      expect(last).to.be.at.least(5);
      for (let writes = 0; writes < last; writes += 1) {
        const opened = scene.openedAfter(writes);
        expect(await jobsIn(opened, queue), `after ${writes}`).to.equal(0);
        expect([...opened.store.peek(queue).groups.all()], `after ${writes}`).to.deep.equal([]);
      }
      const opened = scene.openedAfter(last);
      expect(await jobsIn(opened, queue)).to.equal(all);
      const known = scene.store.find(queue)?.jobs.inOrderOfRemoval.map(({ id }) => id) ?? [];
      for (const id of known) {
        const [here, there] = [
          await scene.queues.find(queue, id),
          await opened.queues.find(queue, id),
        ];
        expect(there).to.deep.equal(here);
        const children = scene.store.childrenOf(queue, id);
        expect(opened.store.childrenOf(queue, id)).to.deep.equal(children);
      }
      expect(opened.store.find(queue)?.jobs.inOrderOfRemoval.map(({ id }) => id)).to.deep.equal(
        known,
      );
      expect(inTurns(opened, queue)).to.deep.equal(inTurns(scene, queue));
    });
  }

  for (const what of ['plain jobs', 'jobs in groups', 'a flow', 'a flow in groups']) {
    // holds: store.fair-steps
    it(`has little to write of ${what} in the step that shows them`, async () => {
      const scene = new Scene(RECORDS);
      await ADDS[what]?.(scene, uniqueQueue());
      expect(scene.written('job').at(-1)).to.be.at.most(1);
      expect(scene.written('child').at(-1)).to.equal(0);
      expect(scene.written('payload').at(-1)).to.be.at.most(1);
    });
  }

  it('does not give its places to others, and writes a job that moves in the step after', async () => {
    const scene = new Scene(RECORDS);
    const queue = uniqueQueue();
    await addOne(scene.queues, queue);
    const adding = scene.queues.add(queue, plain(MANY));
    while (scene.store.find(queue)?.staged.payload('3') === undefined) await turn();
    const { id: between } = await addOne(scene.queues, queue);
    await adding;
    await take(scene.attempts, queue);
    const attempt = await take(scene.attempts, queue);
    expect(attempt.jobId).to.equal('2');
    scene.write();
    const opened = scene.openedAfter(scene.writes.length);
    const active = opened.store.find(queue)?.jobs.in.active.fromFirst(Infinity) ?? [];
    expect(active.map(({ id }) => id)).to.deep.equal(['1', '2']);
    expect(await jobsIn(opened, queue)).to.equal(MANY + 2);
    expect(between).to.equal(String(MANY + 2));
  });

  for (const [what, add] of Object.entries(ADDS)) {
    // holds: store.fair-steps, store.postgres-replicas
    it(`shows another replica all of ${what} at once, whichever write it starts after`, async () => {
      const scene = new Scene(RECORDS);
      const queue = uniqueQueue();
      await add(scene, queue);
      const all = await jobsIn(scene, queue);
      const last = scene.writes.length;
      for (const first of [0, 2, last - 1]) {
        const replica = scene.openedAfter(first);
        replica.write();
        replica.writes.length = 0;
        const woken = replica.woken(queue);
        for (const [index, changes] of scene.writes.slice(first).entries()) {
          const place = `write ${first + index} of those from ${first} on`;
          expect(await jobsIn(replica, queue), place).to.equal(0);
          expect(replica.store.childrenOf(queue, 'root'), place).to.deep.equal([]);
          replica.take(changes);
        }
        expect(await jobsIn(replica, queue)).to.equal(all);
        await woken;
        expect(inOrder(replica, queue)).to.deep.equal(inOrder(scene, queue));
        for (const id of inOrder(scene, queue)) {
          const here = await scene.queues.find(queue, id);
          expect(await replica.queues.find(queue, id)).to.deep.equal(here);
          const children = scene.store.childrenOf(queue, id);
          expect(replica.store.childrenOf(queue, id)).to.deep.equal(children);
        }
        expect(inTurns(replica, queue)).to.deep.equal(inTurns(scene, queue));
        replica.write();
        expect(replica.writes, `from ${first} on`).to.deep.equal([]);
      }
    });
  }

  it('shows another replica nothing of a refused one, and leaves no place to others', async () => {
    const scene = new Scene(RECORDS);
    const queue = uniqueQueue();
    await addOne(scene.queues, queue);
    scene.write();
    await rejection(scene.queues.add(queue, grouped(MANY), MANY - 1));
    scene.write();
    const replica = new Scene(RECORDS);
    for (const changes of scene.writes) {
      replica.take(changes);
      expect(await jobsIn(replica, queue)).to.equal(1);
    }
    expect(replica.store.find(queue)?.staged.payload('2')).to.equal(undefined);
    await addOne(replica.queues, queue);
    expect(inOrder(replica, queue)).to.deep.equal(['1', String(MANY + 2)]);
  });

  // holds: store.fair-steps
  it('leaves nothing when another replica removes its queue meanwhile', async () => {
    const scene = new Scene(RECORDS);
    const queue = uniqueQueue();
    await addOne(scene.queues, queue);
    await scene.queues.add(queue, plain(MANY));
    const replica = scene.openedAfter(3);
    await replica.queueControl.remove(queue, true);
    replica.write();
    const left = recordsAfter([...scene.writes.slice(0, 3), ...replica.writes]);
    expect(left.filter(({ kind }) => kind !== 'events')).to.deep.equal([]);
  });

  // holds: steps.add-large
  it('suspends a job in the write that shows what it adds, and lets small calls come between', async () => {
    const scene = new Scene();
    const queue = uniqueQueue();
    const [other, attempt] = await taken(scene);
    const ended: string[] = [];
    const suspending = scene.steps
      .suspend(other, attempt, adding(queue, 500))
      .then((outcome) => ended.push(JSON.stringify(outcome)));
    let between = 0;
    for (; ended.length === 0; between += 1) {
      await addOne(scene.queues, uniqueQueue());
      await turn();
    }
    await suspending;
    expect(ended).to.deep.equal(['"recorded"']);
    expect(between).to.be.at.least(5);
    for (let writes = 1; writes <= scene.writes.length; writes += 1) {
      const opened = scene.openedAfter(writes);
      const { suspended } = opened.store.peek(other).jobs;
      expect((await jobsIn(opened, queue)) > 0).to.equal(suspended.resting === 1);
    }
  });

  // holds: steps.signal-pieces
  it('wakes jobs in small pieces, and remembers the signal with the last one', async () => {
    const scene = new Scene();
    const queue = uniqueQueue();
    await scene.queues.add(queue, plain(600));
    const signals = [{ name: 'paid', key: 'paid' }];
    for (let index = 0; index < 600; index += 1) {
      const ending = { kind: 'suspended', request: requestOf({ signals }) } as const;
      await scene.attempts.settle(queue, await take(scene.attempts, queue), ending);
    }
    scene.write();
    const from = scene.writes.length;
    const identity = { key: 'a', body: 'digest' };
    const sent = await scene.jobSignals.send(queue, 'paid', '1', 0, identity);
    expect(sent).to.deep.equal({ woken: 600, isRepeated: false });
    expect(scene.written('job').slice(from)).to.deep.equal([250, 250, 100]);
    expect(scene.written('add').slice(from)).to.deep.equal([0, 0, 1]);
  });

  for (const [what, stages] of [['payloads', {}] as const, ['records', RECORDS] as const])
    it(`leaves nothing of the ${what} of a part, a minute after its process was killed`, async () => {
      const scene = new Scene(stages);
      const queue = uniqueQueue();
      await scene.queues.add(queue, plain(MANY));
      const opened = scene.openedAfter(3);
      const expiry = memoryExpiry(opened.store);
      await expiry.expireDue();
      opened.write();
      expect(opened.writes, 'at once').to.deep.equal([]);
      await clock.advance(MINUTE + 1);
      await expiry.expireDue();
      opened.write();
      const [gone = []] = opened.writes;
      expect(
        gone.filter(({ kind, value }) => kind === 'payload' && value === undefined),
      ).to.have.lengthOf(2000);
      expect(
        gone.filter(({ kind, value }) => kind === 'staged' && value === undefined),
      ).to.have.lengthOf(2);
    });

  // holds: store.fair-steps
  it('lets small calls come between its pieces, which see nothing of it', async () => {
    const scene = new Scene();
    const [queue, other] = [uniqueQueue(), uniqueQueue()];
    const added: unknown[] = [];
    const adding = scene.queues.add(queue, plain(MANY)).then(() => added.push(true));
    let between = 0;
    while (added.length === 0) {
      await addOne(scene.queues, other);
      const seen = await jobsIn(scene, queue);
      if (seen === 0) between += 1;
      else expect(seen).to.equal(MANY);
      expect((await scene.queues.find(queue, '1')) === undefined).to.equal(seen === 0);
      await turn();
    }
    await adding;
    expect(between).to.be.at.least(4);
  });

  // holds: store.fair-steps
  it('takes turns with other large ones, piece by piece', async () => {
    const scene = new Scene();
    const [queue, other] = [uniqueQueue(), uniqueQueue()];
    await scene.queues.add(other, plain(MANY));
    const from = scene.writes.length;
    await Promise.all([scene.queues.add(queue, plain(MANY)), scene.queueControl.drain(other, {})]);
    const drained = scene.writes
      .slice(from)
      .map((changes) => changes.some(({ kind, queue: name }) => kind === 'job' && name === other));
    const first = drained.indexOf(true);
    expect(drained.slice(first, first + 4)).to.deep.equal([true, false, true, false]);
    expect(await countsOf(scene.queues, other)).to.deep.equal(NO_JOBS);
  });

  it('leaves nothing when it is refused', async () => {
    const scene = new Scene();
    const queue = uniqueQueue();
    const refusal = await rejection(scene.queues.add(queue, plain(MANY), MANY - 1));
    expect(isQueueFull(refusal)).to.equal(true);
    scene.write();
    const opened = scene.openedAfter(scene.writes.length);
    expect(opened.store.find(queue)?.staged.payload('1')).to.equal(undefined);
    expect((await addOne(scene.queues, queue)).id).to.equal(String(MANY + 1));
  });

  it('adds nothing when its queue is removed meanwhile, and may be repeated', async () => {
    const scene = new Scene();
    const queue = uniqueQueue();
    await addOne(scene.queues, queue);
    const adding = rejection(scene.queues.add(queue, plain(MANY)));
    for (let turns = 0; turns < 4; turns += 1) await turn();
    await scene.queueControl.remove(queue, false);
    expect(await adding).to.include({ code: 'store-unavailable' });
    expect(await jobsIn(scene, queue)).to.equal(0);
    await scene.queues.add(queue, plain(MANY));
    expect(await jobsIn(scene, queue)).to.equal(MANY);
  });

  // holds: store.fair-steps
  it('removes a queue in pieces, none of whose jobs starts from the first one on', async () => {
    const scene = new Scene();
    const queue = uniqueQueue();
    await scene.queues.add(queue, plain(MANY));
    const from = scene.writes.length;
    const removing = scene.queueControl.remove(queue, false);
    await turn();
    expect(scene.store.find(queue)?.record.isPaused).to.equal(true);
    expect(await removing).to.deep.equal({ kind: 'removed', jobs: MANY, schedulers: 0 });
    const jobs = scene.written('job').slice(from);
    expect(Math.max(...jobs)).to.be.at.most(MOST_IN_PIECE.jobs);
    expect(await jobsIn(scene.openedAfter(scene.writes.length), queue)).to.equal(0);
  });
});
