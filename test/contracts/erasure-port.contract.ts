import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { MemorySignals } from '../../src/adapters/outbound/memory/ports/memory-signals.ts';
import { Erasures, type ErasureResult } from '../../src/application/jobs/erasures.ts';
import type { ErasureInput } from '../../src/domain/jobs/erasure.ts';
import { FigureCounter } from '../../src/domain/figures/figures.ts';
import { beginOf } from '../../src/domain/figures/figure-steps.ts';
import type { JobOptionsInput } from '../../src/domain/jobs/job-options.ts';
import { CALLBACK_QUEUE, queueOfHeld, queueOfHook } from '../../src/domain/queues/own-queue.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import type { Json } from '../../src/domain/values/json.ts';
import { clockOf } from '../support/clock-of.ts';
import { rounds } from '../support/lane.ts';
import { plainHook } from '../support/plain-hook.ts';
import { queueNamed } from '../support/queue-named.ts';
import { FlowSteps } from './flows/flow-steps.ts';
import type { QueueHarness } from './queue-harness.ts';
import {
  addOne,
  ANY,
  COMPLETED,
  countsOf,
  HOUR,
  idOf,
  jobOf,
  listed,
  process,
  read,
  repeatable,
  retryAfter,
  take,
  uniqueQueue,
} from './queue-steps.ts';

const MINUTE = 60_000;

/** How many queues have jobs of a customer, and how many each has of others. */
const [QUEUES, OTHERS] = [rounds(10, 3), rounds(190, 20)];

/** What an erasure does on every store. */
export function describeErasurePort(
  name: string,
  createHarness: () => Promise<QueueHarness>,
): void {
  describe(`ErasurePort: ${name}`, () => {
    let harness: QueueHarness;

    before(async () => {
      harness = await createHarness();
      for (const id of ['done', 'alerts', 'on-call']) {
        await harness.hooks.put(id, () => plainHook(id));
      }
    });

    after(() => harness.dispose());

    const erasures = (): Erasures =>
      new Erasures({
        scan: harness.jobScan,
        control: harness.jobControl,
        erasure: harness.erasure,
        figures: harness.figures,
        callFigures: harness.callFigures,
        names: {
          list: async (...[, , mayUse]) =>
            (await allNames()).filter((queue) => mayUse?.(queue) !== false),
        },
        hooks: harness.hooks,
        recorders: { forget: () => undefined },
        signals: new MemorySignals(),
        clock: clockOf(harness.now),
      });

    const allNames = (): Promise<readonly QueueName[]> => harness.queueDirectory.names();

    const erase = (input: ErasureInput): Promise<ErasureResult> =>
      erasures().erase(input, { mayUse: () => true, onlyQueues: undefined });

    /** Repeats an erasure until nothing remains. @returns the sum of what was done. */
    async function eraseAll(
      input: ErasureInput,
      heard: (result: ErasureResult) => void = () => undefined,
    ): Promise<number> {
      for (let done = 0; ;) {
        const result = await erase(input);
        heard(result);
        done += result.done;
        if (result.remaining === 0) return done;
        expect(result.done).to.be.greaterThan(0);
      }
    }

    /** A customer of whom nothing else has anything in the store. */
    const newCustomer = (): string => `ada-${randomUUID()}`;
    const dataOf = (id: string): Json => ({ customer: { id }, order: 7 });
    const of = (id: string): ErasureInput => ({ filter: { data: { 'customer.id': id } } });

    /** Of whom nothing may be left. All are looked for at once at the end, as a store takes seconds to overwrite. */
    const erased: string[] = [];

    /** Adds a job of the customer, takes it and has it log, report progress and fail once. */
    async function failing(queue: QueueName, id: string, opts: JobOptionsInput): Promise<string> {
      const { queues, attempts } = harness;
      const job = await addOne(queues, queue, { ...opts, lifo: true }, dataOf(id));
      const attempt = await take(attempts, queue);
      expect(attempt.jobId).to.equal(job.id);
      await attempts.addLog(queue, attempt, `mail to ${id}`);
      await attempts.reportProgress(queue, attempt, { to: id });
      await attempts.settle(queue, attempt, {
        ...retryAfter(0, `no ${id} here`),
        call: { outcome: 'failed', status: 500, response: `no ${id} here` },
      });
      return job.id;
    }

    async function completed(queue: QueueName, id: string, opts: JobOptionsInput): Promise<string> {
      const jobId = await failing(queue, id, { attempts: 2, ...opts });
      await process(harness.attempts, queue, {
        kind: 'completed',
        returnvalue: { customer: { id }, text: `sent to ${id}` },
        call: { outcome: 'completed', status: 200, response: id },
      });
      return jobId;
    }

    async function failed(queue: QueueName, id: string, opts: JobOptionsInput): Promise<string> {
      const jobId = await failing(queue, id, { attempts: 2, ...opts });
      const reason = `HTTP 422: no ${id}`;
      const call = { outcome: 'failed', status: 422, response: id } as const;
      await process(harness.attempts, queue, { kind: 'failed', reason, call });
      return jobId;
    }

    /** Fills a queue with jobs of a customer in every state that has ended or not begun. @returns how many. */
    async function fill(queue: QueueName, id: string): Promise<number> {
      const { queues } = harness;
      await completed(queue, id, {});
      await failed(queue, id, {});
      await completed(queue, id, { removeOnComplete: true });
      await completed(queue, id, { callback: { url: `https://example.com/${id}` } });
      await completed(queue, id, { callback: { queue: `${queue}-results` } });
      await failed(queue, id, { callback: { queue: `${queue}-copies`, as: 'job' } });
      await addOne(queues, queue, { delay: HOUR, jobId: `delayed-${id}` }, dataOf(id));
      await addOne(queues, queue, { priority: 3 }, dataOf(id));
      await addOne(queues, queue, { deduplication: { id: `one-${id}` } }, dataOf(id));
      await addOne(queues, queue, {}, dataOf(id));
      await addOne(queues, queue, { group: { id: `of-${id}` } }, dataOf(id));
      // The first one is gone, the last one is a copy.
      return 11;
    }

    // holds: erase.places
    it('erases what each place has of a customer', async function () {
      this.timeout(120_000);
      const { queues, attempts } = harness;
      const customer = newCustomer();
      let expected = 0;
      const filled: QueueName[] = [];
      for (let index = 0; index < QUEUES; index += 1) {
        const queue = queueNamed(`watched-${uniqueQueue()}`);
        filled.push(queue);
        await completed(queue, 'someone-else', {});
        expected += await fill(queue, customer);
        await queues.add(
          queue,
          Array.from({ length: OTHERS }, (_, number) =>
            jobOf({ delay: number % 2 === 0 ? 0 : HOUR }, dataOf(`other-${number}`)),
          ),
        );
        await harness.figures.save({
          queue,
          source: 'one',
          minute: { at: beginOf('minute', harness.now()), figures: new FigureCounter().figures },
          hour: { at: beginOf('hour', harness.now()), figures: new FigureCounter().figures },
          failures: [
            {
              cause: `no ${customer}`,
              reason: `no ${customer}`,
              status: 422,
              count: 1,
              first: harness.now(),
              last: harness.now(),
              samples: [`delayed-${customer}`],
            },
          ],
          calls: [
            {
              job: '1',
              attempt: 1,
              startedAt: harness.now(),
              durationMs: 1,
              status: 422,
              outcome: 'failed',
              reason: `no ${customer}`,
              replica: 'one',
            },
          ],
        });
        await harness.callFigures.save({
          queue,
          minute: Math.floor(harness.now() / MINUTE),
          source: 'one',
          figures: {
            calls: 1,
            failures: 1,
            durations: {},
            lastFailure: { at: harness.now(), reason: `no ${customer}` },
          },
        });
      }
      const [first] = filled as [QueueName];
      // An add that is remembered, and one that waits for the end of another job.
      await queues.addOnce(
        first,
        repeatable([jobOf({ jobId: `delayed-${customer}` }, dataOf(customer))]),
        { key: 'key', body: 'body' },
      );
      const deduplication = { id: 'standing', keepLastIfActive: true };
      await addOne(queues, first, { deduplication, lifo: true });
      const running = await take(attempts, first);
      await addOne(queues, first, { deduplication }, dataOf(customer));

      const found = await harness.dump?.();
      if (found !== undefined) expect(found.indexOf(customer)).to.be.greaterThan(0);
      const dry = await erase({ ...of(customer), dryRun: true });
      expect(dry).to.include({ matched: expected, done: 0, remaining: expected });

      const limit = 15;
      const result = await erase({ ...of(customer), limit });
      expect(result).to.include({ matched: expected, done: limit, remaining: expected - limit });
      expect(result.places.callbacks).to.be.greaterThan(0);
      expect(result.places.deliveries).to.be.greaterThan(0);
      expect(result.places.events).to.be.greaterThan(0);
      let { remembered } = result.places;
      const done = await eraseAll(of(customer), (each) => {
        remembered += each.places.remembered;
      });
      expect(done).to.equal(expected - limit);
      expect(remembered).to.equal(2);
      erased.push(customer);

      await attempts.settle(first, running, { kind: 'completed', returnvalue: null });
      for (const queue of filled) {
        const counts = await countsOf(queues, queue);
        expect(counts['waiting']).to.equal(OTHERS / 2);
        expect(counts['delayed']).to.equal(OTHERS / 2);
        expect(counts['completed']).to.equal(queue === first ? 2 : 1);
      }
    });

    // holds: erase.events
    it('leaves the events of erased jobs without values, and a gap where the id has one', async () => {
      const { queues, attempts, events } = harness;
      for (const mode of ['redact', 'remove'] as const) {
        const customer = newCustomer();
        const queue = uniqueQueue();
        const left = await completed(queue, 'someone-else', {});
        const done = await completed(queue, customer, { group: { id: `of-${customer}` } });
        const named = await completed(queue, customer, { jobId: `job-${customer}` });
        const before = (await events.read(queue, '0-0')).events;
        await eraseAll({ ...of(customer), mode, queues: [queue] });
        const after = await events.read(queue, '0-0');
        const removed = mode === 'remove' ? after.events.slice(before.length) : [];
        expect(after).not.to.have.property('lostBefore');
        expect(after.events.map(idOf)).to.deep.equal([...before, ...removed].map(idOf));
        for (const [index, event] of before.entries()) {
          const stays = after.events[index]!;
          const jobId = event.name === 'gap' ? undefined : event.data.jobId;
          if (jobId === left) expect(stays).to.deep.equal(event);
          else if (jobId === named && mode === 'remove') expect(stays.name).to.equal('gap');
          else expect(stays).to.deep.include({ name: event.name, id: idOf(event) });
          if (jobId === done)
            expect(stays.data).to.include({ jobId, timestamp: event.data.timestamp });
        }
        const values = JSON.stringify(after.events.filter(({ name }) => name !== 'added'));
        for (const value of [`sent to ${customer}`, `mail to ${customer}`, `no ${customer}`]) {
          expect(values).not.to.include(value);
        }
        const again = await erase({ ...of(customer), mode, queues: [queue] });
        expect(again.places.events).to.equal(0);
        await addOne(queues, queue, {});
        await process(attempts, queue, COMPLETED);
        expect((await events.read(queue, after.last)).events[0]?.name).to.equal('added');
        if (mode === 'remove') erased.push(customer);
      }
    });

    // holds: erase.events
    it('leaves a gap for each event of a job that was named by its id', async () => {
      const { queues, events } = harness;
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue, { delay: HOUR });
      const before = (await events.read(queue, '0-0')).events;
      await erase({ filter: { ids: [id], queue } });
      const { events: after } = await events.read(queue, '0-0');
      expect(after.map(({ name }) => name)).to.deep.equal(['gap', 'gap', 'gap']);
      expect(after.slice(0, before.length).map(idOf)).to.deep.equal(before.map(idOf));
      const { events: resumed } = await events.read(queue, idOf(after[0]!));
      expect(resumed).to.deep.equal(after.slice(1));
    });

    // holds: erase.redact
    it('redacts ended jobs only, and clears reasons that hold the value', async () => {
      const { queues } = harness;
      const customer = newCustomer();
      const queue = uniqueQueue();
      const done = await completed(queue, customer, {});
      const broken = await failed(queue, customer, {});
      const waiting = await addOne(queues, queue, {}, dataOf(customer));
      expect(await erase({ ...of(customer), mode: 'redact' })).to.deep.include({
        matched: 2,
        done: 2,
        remaining: 0,
      });
      expect(await read(queues, queue, done)).to.include({ data: null, state: 'completed' });
      const job = await read(queues, queue, broken);
      expect(job).to.include({ data: null, state: 'failed' });
      expect(job.failedReason ?? '').to.equal('');
      expect(await read(queues, queue, waiting.id)).to.deep.include({ data: dataOf(customer) });
      expect((await erase({ ...of(customer), mode: 'redact' })).matched).to.equal(0);
      expect(await eraseAll(of(customer))).to.equal(1);
      erased.push(customer);
    });

    // holds: erase.active
    it('leaves active jobs, and counts them among those that remain', async () => {
      const { queues, attempts } = harness;
      const customer = newCustomer();
      const queue = uniqueQueue();
      const { id } = await addOne(queues, queue, {}, dataOf(customer));
      const attempt = await take(attempts, queue);
      for (const mode of ['remove', 'redact'] as const) {
        const result = await erase({ ...of(customer), mode });
        expect(result).to.include({ matched: 1, done: 0, remaining: 1 });
      }
      await attempts.settle(queue, attempt, { kind: 'completed', returnvalue: null });
      expect(await erase(of(customer))).to.include({ done: 1, remaining: 0 });
      expect(await queues.find(queue, id)).to.equal(undefined);
    });

    // holds: erase.match
    it('compares by value and type, and takes only jobs that match in all fields', async () => {
      const { queues } = harness;
      const queue = uniqueQueue();
      for (const id of ['17', 17, null]) await addOne(queues, queue, {}, { customer: { id } });
      await addOne(queues, queue, {}, { customer: { id: '17' }, items: [{ sku: 'b' }] });
      const matched = async (data: Readonly<Record<string, string | number | null>>) =>
        (await erase({ filter: { data }, queues: [queue], dryRun: true })).matched;
      expect(await matched({ 'customer.id': '17' })).to.equal(2);
      expect(await matched({ 'customer.id': 17 })).to.equal(1);
      expect(await matched({ 'customer.id': null })).to.equal(1);
      expect(await matched({ 'customer.id': '17', 'items.0.sku': 'b' })).to.equal(1);
      expect(await matched({ 'customer.id': '17', 'items.1.sku': 'b' })).to.equal(0);
      expect(await matched({ 'customer.toString': 'x' })).to.equal(0);
    });

    // holds: erase.scope
    it('finds values in the JSON text of the bodies of messages', async () => {
      const { queues } = harness;
      const queue = uniqueQueue();
      for (const body of [
        '{"customer":{"id":"17"}}',
        '{"customer":{"id":17}}',
        '{"customer',
        '1',
      ]) {
        await addOne(queues, queue, {}, { body, attributes: { kind: 'mail' } });
      }
      const matched = async (data: Readonly<Record<string, string | number>>) =>
        (await erase({ filter: { data }, queues: [queue], dryRun: true })).matched;
      expect(await matched({ 'customer.id': '17' })).to.equal(1);
      expect(await matched({ 'body.customer.id': 17, 'attributes.kind': 'mail' })).to.equal(1);
      expect(await matched({ 'customer.id': '17', 'attributes.kind': 'sms' })).to.equal(0);
      const filter = { data: { 'customer.id': '17' } };
      expect(await erase({ filter, queues: [queue] })).to.include({ done: 1, remaining: 0 });
      expect(await listed(queues, queue, 'waiting')).to.have.length(3);
    });

    // holds: erase.scope
    it('looks only at the queues and states that it is told', async () => {
      const { queues } = harness;
      const customer = newCustomer();
      const [one, other] = [uniqueQueue(), uniqueQueue()];
      for (const queue of [one, other]) {
        await addOne(queues, queue, {}, dataOf(customer));
        await addOne(queues, queue, { delay: HOUR }, dataOf(customer));
      }
      const filter = of(customer);
      expect(await erase({ ...filter, queues: [one], states: ['delayed'] })).to.include({
        matched: 1,
        done: 1,
        remaining: 0,
      });
      expect(await listed(queues, one, 'delayed')).to.deep.equal([]);
      expect(await listed(queues, one, 'waiting')).to.have.length(1);
      const mayUse = (queue: string): boolean => queue !== other;
      expect(await erasures().erase(filter, { mayUse, onlyQueues: mayUse })).to.include({
        matched: 1,
        done: 1,
      });
      expect(await countsOf(queues, other)).to.include({ waiting: 1, delayed: 1 });
    });

    // holds: erase.scope
    it('leaves what tells of failing hooks about jobs of other queues', async () => {
      const customer = newCustomer();
      const [own, foreign] = [uniqueQueue(), uniqueQueue()];
      const watch = queueOfHook('on-call');
      const failing = { kind: 'failing', type: 'hook.failing', failing: 'alerts' };
      const reason = `HTTP 422: no ${customer}`;
      for (const queue of [own, foreign, undefined]) {
        const job = queue && { queue, id: '1', group: null };
        const message = { ...failing, delivery: String(queue), reason, ...(job && { job }) };
        await addOne(harness.queues, watch, { jobId: `of-${String(queue)}` }, { message });
      }
      const mayUse = (queue: string): boolean => queue === own;
      await erasures().erase(of(customer), { mayUse, onlyQueues: mayUse });
      const left = await listed(harness.queues, watch, 'waiting');
      expect(left).to.include.members([`of-${foreign}`, 'of-undefined']);
      expect(left).not.to.include(`of-${own}`);
      expect((await erase(of(customer))).places).to.include({ deliveries: 2 });
    });

    // holds: erase.ids
    it('erases jobs by their ids, and those of a group', async () => {
      const { queues } = harness;
      const queue = queueNamed(`watched-${uniqueQueue()}`);
      const customer = newCustomer();
      const done = await completed(queue, customer, {});
      const { id } = await addOne(queues, queue, { jobId: `job-${customer}` }, dataOf(customer));
      const ids = [done, id, 'none'];
      const byIds = await erase({ filter: { ids, queue } });
      expect(byIds).to.include({ matched: 2, done: 2, remaining: 0 });
      expect(byIds.places.deliveries).to.equal(1);
      const group = { id: `of-${customer}` };
      await completed(queue, customer, { group });
      await addOne(queues, queue, { group });
      await addOne(queues, queue, { group: { id: 'another' } });
      const byGroup = await erase({ filter: { group: group.id, queue } });
      expect(byGroup).to.include({ matched: 2, done: 2, remaining: 0 });
      expect(await countsOf(queues, queue)).to.include({ waiting: 1, completed: 0 });
      erased.push(customer);
    });

    // holds: erase.places
    it('leaves no starts of a group that has a limiter, whatever its id', async () => {
      const { queues, attempts } = harness;
      const queue = uniqueQueue();
      const customer = newCustomer();
      const terms = { ...ANY, groups: { limiter: { max: 5, duration: HOUR } } };
      await addOne(queues, queue, { group: { id: `customer:${customer}` } }, dataOf(customer));
      await attempts.settle(queue, await take(attempts, queue, terms), COMPLETED);
      await eraseAll(of(customer));
      erased.push(customer);
    });

    // holds: erase.flows
    it('erases a job of a flow alone, with what its parent knows of it', async () => {
      const customer = newCustomer();
      const steps = new FlowSteps(harness);
      const [parent, child] = await steps.added([{ data: dataOf(customer) }, {}]);
      await steps.complete(steps.below, { sent: customer });
      expect((await steps.children(parent!))[0]?.returnvalue).to.deep.equal({ sent: customer });
      expect(await eraseAll(of(customer))).to.equal(1);
      expect(await steps.stateOf(child!)).to.equal(undefined);
      expect(await steps.stateOf(parent!)).to.equal('waiting-children');
      erased.push(customer);
      const waiting = await steps.added([{}], { data: dataOf(customer) });
      expect(await eraseAll(of(customer))).to.equal(1);
      expect(await steps.stateOf(waiting[0]!)).to.equal(undefined);
      expect(await steps.stateOf(waiting[1]!)).to.equal('waiting');
    });

    // holds: erase.gone
    it('removes what is kept of jobs that are gone', async () => {
      const { queues, events } = harness;
      const customer = newCustomer();
      const queue = queueNamed(`watched-${uniqueQueue()}`);
      const callback = { url: 'https://example.com/' };
      await completed(queue, customer, { removeOnComplete: true, callback });
      // Another callback is held back, since too many wait.
      const data = { queue, id: customer, value: `"${customer}"` };
      await queues.add(queueOfHeld(queue), [
        { name: 'job.completed', data, opts: { attempts: 0, delay: 0 } },
      ]);
      const result = await erase(of(customer));
      expect(result).to.include({ matched: 0, done: 0, remaining: 0 });
      expect(result.places).to.include({ callbacks: 2, deliveries: 1 });
      const kept = await events.read(queue, '0-0');
      expect(JSON.stringify(kept.events)).not.to.include(customer);
      for (const own of [CALLBACK_QUEUE, queueOfHeld(queue), queueOfHook('done')]) {
        const { jobs } = await queues.list(own, { statuses: ['waiting'], start: 0, length: 100 });
        for await (const piece of jobs) expect(JSON.stringify(piece)).not.to.include(customer);
      }
      erased.push(customer);
    });

    // holds: erase.places
    it('leaves no byte of any of these customers', async () => {
      const dump = await harness.dump?.();
      if (dump === undefined) return;
      expect(erased).not.to.be.empty;
      for (const customer of erased) {
        const at = dump.indexOf(customer);
        const around = dump.subarray(Math.max(0, at - 300), at + 200).toString('latin1');
        expect(at, around).to.equal(-1);
      }
    });
  });
}
