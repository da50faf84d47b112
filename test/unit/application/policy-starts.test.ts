import type { KeptPolicies } from '../../../src/application/kept/policies.ts';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import { policiesInMemory } from '../../support/collections.ts';
import { WorkerClaims } from '../../../src/application/calls/worker-claims.ts';
import type { Policies } from '../../../src/application/policies/policies.ts';
import { ClaimNotes } from '../../../src/application/pulls/claim-notes.ts';
import { JobTaking } from '../../../src/application/pulls/job-taking.ts';
import { newJob } from '../../../src/domain/jobs/job.ts';
import { storeUnavailable } from '../../../src/domain/errors.ts';
import { RandomTokens } from '../../../src/infrastructure/random-tokens.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { memoryStores, type MemoryStores } from '../../support/memory-stores.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { rejection } from '../../support/rejection.ts';
import { policiesInTest } from '../../support/policies-in-test.ts';
import { silentLogger } from '../../support/silent-logger.ts';

const QUEUE = queueNamed('mail');
const ORDERED = { groups: { ordered: 'block' } } as const;

/** Holds requests on their way to the store until the test opens it. */
class Barrier {
  arrived = 0;
  #open: () => void = () => undefined;
  #gate: Promise<void> | undefined;

  close(): void {
    this.#gate = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  open(): void {
    this.#open();
    this.#gate = undefined;
  }

  async pass(): Promise<void> {
    this.arrived += 1;
    await this.#gate;
  }
}

describe('A change of the policy of a queue whose jobs start', () => {
  let clock: FakeClock;
  let stores: MemoryStores;
  let policyStore: KeptPolicies;
  let policies: Policies;
  let barrier: Barrier;
  let claims: WorkerClaims;
  let taking: JobTaking;

  beforeEach(async () => {
    clock = new FakeClock();
    stores = memoryStores(clock);
    barrier = new Barrier();
    const { attempts } = stores;
    const claim = attempts.claim.bind(attempts);
    const claimBatch = attempts.claimBatch.bind(attempts);
    sinon.stub(attempts, 'claim').callsFake(async (...request) => {
      await barrier.pass();
      return claim(...request);
    });
    sinon.stub(attempts, 'claimBatch').callsFake(async (...request) => {
      await barrier.pass();
      return claimBatch(...request);
    });
    policyStore = policiesInMemory();
    policies = policiesInTest({ store: policyStore, signals: stores.signals, clock });
    await policies.start();
    await policies.known();
    const tokens = new RandomTokens();
    const observer = { observe: () => undefined };
    const worker = {
      queue: QUEUE,
      endpoint: { url: 'http://localhost:1/', method: 'post' },
    } as const;
    claims = new WorkerClaims(worker, { attempts, policies, tokens, observer, lockDuration: 9999 });
    taking = new JobTaking({
      attempts,
      workers: { workerOf: () => Promise.resolve(undefined) },
      policies,
      tokens,
      notes: new ClaimNotes(stores.queueStandings, clock),
      observer,
      clock,
      logger: silentLogger,
    });
    const opts = { group: { id: 'acme' } };
    const jobs = Array.from({ length: 3 }, () => newJob({ name: 'send', data: null, opts }, ''));
    await stores.queues.add(QUEUE, jobs);
  });

  afterEach(async () => {
    sinon.restore();
    await policies.stop();
  });

  const ways: Readonly<Record<string, () => Promise<number>>> = {
    'a claim': async () => Number((await claims.claim()).kind === 'attempt'),
    'a claim for a batch': async () => {
      const { attempts } = await claims.claimBatch('id', ['1'], { by: 'queue' }, false);
      return attempts.length;
    },
    'a claim in the place of an ended attempt': async () => {
      const send = (request: Parameters<typeof stores.attempts.claim>[1]) =>
        stores.attempts.claim(QUEUE, request);
      return Number((await claims.start('token', send)).kind === 'attempt');
    },
    'a client that pulls': async () => {
      const [taken] = await taking.takeFor(QUEUE, [{ count: 1, lock: 9999 }]);
      return taken?.status === 'fulfilled' ? taken.value.attempts.length : 0;
    },
  };

  for (const [name, start] of Object.entries(ways)) {
    // holds: policy.starts
    it(`is answered once ${name} under the former policy is`, async () => {
      barrier.close();
      const former = start();
      while (barrier.arrived === 0) await setImmediate();
      let isAnswered = false;
      const saved = policies.save(QUEUE, ORDERED).then(() => {
        isAnswered = true;
      });
      while (policies.of(QUEUE) === undefined) await setImmediate();
      await setImmediate();
      expect(isAnswered).to.equal(false);
      barrier.open();
      await saved;
      expect(await former).to.equal(1);
      expect(await start(), 'beside the job that runs').to.equal(0);
    });
  }

  // holds: policy.starts
  it('waits for no request that begins after it, and for those of every earlier policy', async () => {
    barrier.close();
    const former = claims.claim();
    const first = policies.save(QUEUE, ORDERED);
    while (policies.of(QUEUE) === undefined) await setImmediate();
    await setImmediate();
    const later = claims.claim();
    let isAnswered = false;
    const second = policies.save(QUEUE, { maxWaiting: 9 }).then(() => {
      isAnswered = true;
    });
    while (policies.of(QUEUE)?.maxWaiting === undefined) await setImmediate();
    await setImmediate();
    expect(isAnswered).to.equal(false);
    barrier.open();
    await Promise.all([former, later, first, second]);
  });

  // holds: policy.starts
  it('is not answered as done when this replica cannot read it', async () => {
    sinon.stub(policyStore, 'list').rejects(storeUnavailable(new Error('gone')));
    const failure = await rejection(policies.save(QUEUE, ORDERED));
    expect(failure.message).to.match(/^The store is unavailable/);
  });

  // holds: policy.starts
  it('is known to a replica before it starts its first job', async () => {
    const list = policyStore.list.bind(policyStore);
    await policies.save(QUEUE, ORDERED);
    const young = policiesInTest({ store: policyStore, signals: stores.signals, clock });
    sinon.stub(policyStore, 'list').rejects(storeUnavailable(new Error('gone')));
    const failure = await rejection(young.startJobs(() => Promise.resolve()));
    expect(failure.message).to.match(/^The store is unavailable/);
    sinon.restore();
    policyStore.list = list;
    const seen = await young.startJobs(() => Promise.resolve(young.of(QUEUE)));
    expect(seen).to.deep.include(ORDERED);
  });
});
