import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { answer, EndpointServer } from '../../support/endpoint-server.ts';
import { eventually } from '../../support/eventually.ts';
import { ServiceProcess } from '../../support/service-process.ts';
import { SettableClock } from '../../support/settable-clock.ts';
import { isSlowLane, rounds } from '../../support/lane.ts';

/** Ahead of the machine, in seconds: each is a step from the one before. */
const POSITIONS = isSlowLane ? [1.1, 0, 60, 0, 86_400, 0] : [1.1, 0, 86_400, 0];

/** The longest time (ms) without a call that a step costs, and as much again for a machine that runs all tests. */
const LONGEST_GAP = 2000 + 2000;

/** How many jobs are added after a step, and how long (ms) after each other. */
const JOBS = rounds(20, 8);
const PAUSE = 50;

/** What goes by the clock that is set. */
export type Side = 'service' | 'store' | 'both';

/** A store, and the variables of a service on it. */
export interface Place {
  readonly environment: Readonly<Record<string, string>>;
  stop(): Promise<unknown>;
}

/**
 * Jobs go on while the clock of one side is set, by 1 s, a minute and a day, forward and back.
 *
 * @param begin starts the store.
 */
export function describeClockSteps(store: string, side: Side, begin: () => Promise<Place>): void {
  describe(`STORE=${store}, when the clock of ${nameOf(side)} is set`, () => {
    let clock: SettableClock;
    let place: Place;
    let service: ServiceProcess;
    let endpoint: EndpointServer;

    before(async function () {
      this.timeout(60_000);
      clock = await SettableClock.create();
      place = side === 'service' ? await begin() : await clock.during(begin);
      const ofService = side === 'store' ? {} : clock.environment;
      service = await ServiceProcess.start({ ...place.environment, ...ofService });
      endpoint = await EndpointServer.start(answer(200, {}));
      const worker = {
        queue: 'mail',
        endpoint: { url: endpoint.url, method: 'post' },
        opts: { concurrency: 4, limiter: { max: 100, duration: 1000 } },
      };
      expect((await service.call('POST', '/workers', worker)).status).to.equal(200);
    });

    after(async () => {
      await service.kill();
      await endpoint.close();
      await place.stop();
      clock.remove();
    });

    // holds: store.clock-steps
    it('calls go on within two seconds, and one line names each step', async () => {
      const expected = { forward: 0, back: 0 };
      let before = 0;
      for (const position of POSITIONS) {
        const direction = position > before ? 'forward' : 'back';
        // What is due by the new time is not left until it is due by the old one.
        const hasDue = side !== 'store' && position - before >= 60;
        if (hasDue) await add('due', { delay: 30_000 });
        clock.set(position);
        await jobsAreCalled(`${before} s to ${position} s`, hasDue ? JOBS + 1 : JOBS);
        if (isNoticed(direction)) {
          expected[direction] += 1;
          await eventually(`a line says that the clock was set ${direction}`, () =>
            Promise.resolve(lines(direction).length >= expected[direction]),
          );
          expect(lines(direction).at(-1)).to.include({ level: 'warn' });
        }
        before = position;
      }
      for (const direction of ['forward', 'back'] as const) {
        if (isNoticed(direction)) {
          expect(lines(direction), direction).to.have.lengthOf(expected[direction]);
        }
      }
    }).timeout(120_000);

    const lines = (direction: string) => {
      const named = side === 'store' ? 'the store' : 'this machine';
      const text = `The clock of ${named} was set ${direction} by`;
      return service.logs.filter(({ message = '' }) => message.startsWith(text));
    };

    /** No step goes by the clock of PostgreSQL, and a Redis whose clock was put back is noticed within a minute. */
    function isNoticed(direction: 'forward' | 'back'): boolean {
      return side !== 'store' || (store === 'redis' && direction === 'forward');
    }

    async function add(data: string, opts: object = {}): Promise<number> {
      const job = { name: 'n', data, opts };
      return (await service.call('POST', '/queues/mail/jobs', [job])).status;
    }

    /** Adds jobs after a step: each is taken and called, without a pause that is too long. */
    async function jobsAreCalled(step: string, jobs: number): Promise<void> {
      let [latest, longest, called, refused] = [performance.now(), 0, 0, 0];
      endpoint.respond = (call, response) => {
        called += 1;
        longest = Math.max(longest, performance.now() - latest);
        latest = performance.now();
        return answer(200, {})(call, response);
      };
      for (let count = 0; count < JOBS; count += 1) {
        if ((await add(step)) !== 200) refused += 1;
        await sleep(PAUSE);
      }
      await eventually(`all jobs are called after ${step}`, () =>
        Promise.resolve(called >= jobs - refused),
      );
      expect({ step, refused }).to.deep.equal({ step, refused: 0 });
      expect(longest, step).to.be.below(LONGEST_GAP);
    }
  });
}

function nameOf(side: Side): string {
  if (side === 'both') return 'the machine of both';
  return side === 'store' ? 'the store' : 'the service';
}
