import { expect } from 'chai';
import { Events, type Subscription } from '../../src/application/events/events.ts';
import type { EventsOfAll } from '../../src/application/ports/event-port.ts';
import { BEFORE_EVENTS } from '../../src/domain/events/event-id.ts';
import { comparePositions, type EventPosition } from '../../src/domain/events/event-position.ts';
import {
  positionOf,
  type EventOrGap,
  type QueueEvent,
} from '../../src/domain/events/queue-event.ts';
import type { QueueName } from '../../src/domain/queues/queue-name.ts';
import { SystemClock } from '../../src/infrastructure/system-clock.ts';
import { isVolumePlayedOn } from './played-on.ts';
import type { QueueHarness, QueueReplica } from './queue-harness.ts';
import { addOne, jobOf, process, COMPLETED, uniqueQueue } from './queue-steps.ts';

const BEGINNING: EventPosition = { id: '0-0', queue: '' };

const NEVER = new AbortController().signal;

/** What both who come back and who stay are promised of the events of all queues, on any store. */
export function describeAllEvents(name: string, createHarness: () => Promise<QueueHarness>): void {
  describe(`Events of all queues: ${name}`, () => {
    let harness: QueueHarness;
    let other: QueueReplica;

    before(async () => {
      harness = await createHarness();
      other = await harness.replica();
    });

    after(() => harness.dispose());

    const some = (count: number): readonly QueueName[] => {
      const queues = Array.from({ length: count }, () => uniqueQueue());
      return queues.sort();
    };

    const jobs = (count: number) => Array.from({ length: count }, () => jobOf());

    /** All that is kept of some queues. A store may return the events of the present moment one reading later. */
    const kept = async (queues: readonly QueueName[], after: EventPosition) => {
      const readings: EventsOfAll[] = [];
      const { after: present } = await other.events.subscribeToAll(NEVER);
      let last = after;
      let isEnd = false;
      // The position of a store may be that of its last event, behind which there is nothing then.
      const isOfEvent = present.queue !== '' || present.id === BEFORE_EVENTS;
      const isBefore = (): boolean => comparePositions(last, present) < (isOfEvent ? 0 : 1);
      while (!isEnd || isBefore()) {
        const reading = await other.events.readAll(last);
        readings.push(reading);
        ({ last, isEnd } = reading);
      }
      const events = readings.flatMap((reading) => reading.events);
      return events.filter(({ data }) => queues.includes(data.queue));
    };

    /** Subscribes to some queues, and takes events until `isEnough` returns true. */
    const taken = async (
      { events }: QueueReplica,
      queues: readonly QueueName[],
      after: EventPosition | undefined,
      isEnough: (told: readonly EventOrGap[]) => boolean,
    ) => {
      const subscription: Subscription = { queue: undefined, selection: { queues }, after };
      const told: EventOrGap[] = [];
      let last = after ?? BEGINNING;
      const batches = new Events(
        events,
        { gapsReported: () => undefined },
        new SystemClock(),
      ).subscribe(subscription, NEVER);
      for await (const batch of batches) {
        told.push(...batch.events);
        ({ last } = batch);
        if (isEnough(told)) break;
      }
      return { told, last };
    };

    // holds: all-events.follow, all-events.queues
    it('arrive as they happen, those of later queues too, in one order', async () => {
      const [queues, left] = [some(4), new AbortController()];
      await addOne(harness.queues, queues[0]!);
      const ofAll = await other.events.subscribeToAll(left.signal);
      const readings = ofAll.readings[Symbol.asyncIterator]();
      const told: EventOrGap[] = [];
      const takeUntil = async (isEnough: () => boolean): Promise<void> => {
        while (!isEnough()) {
          const reading = (await readings.next()).value as EventsOfAll;
          told.push(...reading.events.filter(({ data }) => queues.includes(data.queue)));
        }
      };
      await Promise.all(queues.map((queue) => harness.queues.add(queue, jobs(2))));
      const last = (queue: QueueName): string => (queue === queues[0] ? '3' : '2');
      await takeUntil(() =>
        queues.every((queue) =>
          told.some(
            ({ name, data }) =>
              name === 'waiting' && data.queue === queue && data.jobId === last(queue),
          ),
        ),
      );
      await process(harness.attempts, queues[1]!, COMPLETED);
      await takeUntil(() => told.some(({ name }) => name === 'completed'));
      left.abort();
      expect(told.slice(-2).map(({ name }) => name)).to.deep.equal(['active', 'completed']);
      const positions = told.map(positionOf);
      expect(positions).to.deep.equal([...positions].sort(comparePositions));
      expect(new Set(told.map(({ data }) => data.queue)).size).to.equal(4);
      expect(await kept(queues, ofAll.after)).to.deep.equal(told);
    });

    // holds: all-events.resume
    it('are read on behind any of them, to the end of what is kept', async () => {
      const queues = some(30);
      for (let times = 0; times < 4; times += 1) {
        await Promise.all(queues.map((queue) => harness.queues.add(queue, jobs(times * 3))));
      }
      await harness.queues.add(queues[0]!, jobs(900));
      const all = await kept(queues, BEGINNING);
      expect(all).to.have.length(2 * (30 * 18 + 900));
      const positions = all.map(positionOf);
      expect(positions).to.deep.equal([...positions].sort(comparePositions));
      for (const queue of queues) {
        const { events } = await harness.events.read(queue, '0-0');
        const ofQueue = all.filter(({ data }) => data.queue === queue).slice(0, events.length);
        expect(ofQueue).to.deep.equal(events);
      }
      for (const index of [0, 1, 500, all.length - 2]) {
        expect(await kept(queues, positions[index]!)).to.deep.equal(all.slice(index + 1));
      }
    });

    // holds: all-events.resume, all-events.replicas
    it('arrive once each at a client that comes back again and again, to any replica', async () => {
      const [queues, replicas] = [some(25), [harness, other]];
      // Three more queues come with each round.
      const rounds = Array.from({ length: 12 }, (_, round) => queues.slice(0, (round + 1) * 3));
      const added: string[] = [];
      const adding = (async () => {
        for (const [round, inUse] of rounds.entries()) {
          const { queues: port } = replicas[round % 2]!;
          const adds = inUse.map(async (queue) => {
            for (const { id } of await port.add(queue, jobs(8))) added.push(`${queue} ${id}`);
          });
          await Promise.all(adds);
        }
      })();
      const all = rounds.flat().length * 8 * 2;
      const told: EventOrGap[] = [];
      let after: EventPosition = BEGINNING;
      for (let connection = 0; told.length < all; connection += 1) {
        // Each is lost after some events more than the one before.
        const replica = replicas[connection % 2]!;
        const isEnough = (now: readonly EventOrGap[]): boolean =>
          now.length > connection * 3 || told.length + now.length === all;
        const connected = await taken(replica, queues, after, isEnough);
        told.push(...connected.told);
        after = connected.last;
      }
      await adding;
      const jobsOf = (event: string): string[] =>
        told.flatMap(({ name, data }) =>
          name === event ? [`${data.queue} ${(data as QueueEvent['data']).jobId}`] : [],
        );
      expect(jobsOf('added').sort()).to.deep.equal(added.sort());
      expect(jobsOf('waiting').sort()).to.deep.equal(added);
    });

    if (isVolumePlayedOn(name)) {
      // holds: all-events.gap
      it('come with a gap for each queue that no longer keeps what was missed', async () => {
        const [lost, whole, late] = some(3) as [QueueName, QueueName, QueueName];
        const queues = [lost, whole, late];
        await Promise.all([lost, whole].map((queue) => addOne(harness.queues, queue)));
        const before = await kept(queues, BEGINNING);
        const after = positionOf(before.at(-1)!);
        for (let times = 0; times < 2; times += 1) {
          await addOne(harness.queues, whole);
          await harness.queues.add(lost, jobs(5500));
          await addOne(harness.queues, late);
        }
        const isEnough = (told: readonly EventOrGap[]): boolean =>
          told.some(
            ({ name, data }) => name === 'waiting' && data.queue === late && data.jobId === '2',
          );
        const { told } = await taken(other, queues, after, isEnough);
        const gaps = told.filter((event) => event.name === 'gap');
        expect(gaps.map(({ data }) => data.queue)).to.deep.equal([lost]);
        const [gap] = gaps;
        expect(gap!.data.from).to.deep.equal(after);
        const next = told.find(({ name, data }) => name !== 'gap' && data.queue === lost)!;
        expect(gap!.data.to).to.deep.equal(positionOf(next));
        expect(told.filter(({ data }) => data.queue === whole)).to.have.length(4);
        const positions = told.map(positionOf);
        expect(positions).to.deep.equal([...positions].sort(comparePositions));
        const again = await taken(harness, queues, gap!.position, isEnough);
        expect(again.told).to.deep.equal(told.slice(told.indexOf(gap!) + 1));
      });
    }

    // holds: all-events.clock
    it('come with a gap for every queue when the clock of the store is behind', async () => {
      const queues = some(2);
      await Promise.all(queues.map((queue) => addOne(harness.queues, queue)));
      const future = { id: '9999999999999-0', queue: '' };
      const isEnough = (told: readonly EventOrGap[]): boolean => told.length === 2;
      const { told, last } = await taken(other, queues, future, isEnough);
      expect(told.map(({ name, data }) => [name, data.queue])).to.deep.equal(
        queues.map((queue) => ['gap', queue]),
      );
      expect(last).to.deep.equal(future);
    });

    // holds: all-events.queues
    it('are those of queues that are there', async () => {
      const queues = some(2);
      const [gone, stays] = queues as [QueueName, QueueName];
      await Promise.all(queues.map((queue) => addOne(harness.queues, queue)));
      await harness.queueControl.remove(gone, true);
      const told = await kept(queues, BEGINNING);
      expect(new Set(told.map(({ data }) => data.queue))).to.deep.equal(new Set([stays]));
      await addOne(other.queues, gone);
      expect(await kept(queues, positionOf(told.at(-1)!))).to.have.length(2);
    });
  });
}
