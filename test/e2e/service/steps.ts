import { expect } from 'chai';
import {
  answer,
  type EndpointHandler,
  type EndpointServer,
} from '../../support/endpoint-server.ts';
import { eventually } from '../../support/eventually.ts';
import type { ServiceContext } from './context.ts';

const HOUR = 3_600_000;
const DEEP = '['.repeat(5000) + ']'.repeat(5000);
const NESTED = '206 is nested deeper than 500 levels';

interface Suspendable {
  readonly state: string;
  readonly suspended: { readonly steps: readonly string[] } | null;
}

/** Answers the calls in turn, and every later one as the last. */
function inTurn(...handlers: readonly EndpointHandler[]): EndpointHandler {
  let calls = 0;
  return (call, response) =>
    handlers[Math.min((calls += 1), handlers.length) - 1]?.(call, response);
}

/** Calls of jobs with steps, and answers 206 (further contract, section 22). */
export function describeSteps(context: ServiceContext): void {
  describe('steps', () => {
    let queue: string;

    beforeEach(() => {
      queue = context.newQueue();
    });

    const pathOf = (id: string): string => `/queues/${queue}/jobs/${id}`;

    /** Adds a job whose worker answers so, with steps unless it says otherwise. */
    async function begun(
      respond: EndpointHandler,
      more: Parameters<ServiceContext['register']>[2] = {},
      opts = {},
    ): Promise<{ readonly id: string; readonly endpoint: EndpointServer }> {
      const endpoint = await context.newEndpoint(respond);
      await context.register(queue, endpoint, { steps: true, ...more });
      const [job] = await context.add(queue, { name: 'order', data: 17, opts });
      return { id: job!.id, endpoint };
    }

    const suspended = (id: string): Promise<Suspendable> =>
      eventually(`job ${id} is suspended`, async () => {
        const { body } = await context.call('GET', pathOf(id));
        const job = body as Suspendable;
        return job.suspended !== null && job;
      });

    // holds: steps.call
    it('come with each call, with their number in a header, and without any is as ever', async () => {
      const { id, endpoint } = await begun(
        inTurn(
          answer(206, { steps: { charge: { paid: 1 } } }),
          answer(206, { steps: { charge: 'other', ship: 2 } }),
          answer(200, { done: true }),
        ),
      );
      expect(await context.finished(queue, id)).to.deep.include({ returnvalue: { done: true } });
      const [first, second, third] = endpoint.calls;
      expect(first?.body).to.have.all.keys('job', 'token');
      expect(first?.headers).not.to.have.property('jobgate-steps');
      expect(second?.body).to.have.deep.property('steps', { charge: { paid: 1 } });
      expect(second?.headers).to.include({ 'jobgate-steps': '1' });
      expect(third?.body).to.have.deep.property('steps', { charge: { paid: 1 }, ship: 2 });
      expect(third?.headers).to.include({ 'jobgate-steps': '2' });
    });

    for (const body of ['data', 'none']) {
      // holds: steps.call, steps.read
      it(`are counted in a header and read with the job token: body ${body}`, async () => {
        const read = new Promise<unknown>((resolve) => {
          const second: EndpointHandler = async (call, response) => {
            const token = String(call.headers['jobgate-token']);
            const path = pathOf(String(call.headers['jobgate-job-id']));
            const { body: shown } = await context.call('GET', `${path}/steps`, undefined, token);
            resolve([call.headers['jobgate-steps'], shown]);
            await answer(200)(call, response);
          };
          void begun(inTurn(answer(206, { steps: { charge: 1 } }), second), { body });
        });
        const [count, shown] = (await read) as [string, { steps: readonly object[] }];
        expect(count).to.equal('1');
        expect(shown.steps.map((step) => ({ ...step, at: 0 }))).to.deep.equal([
          { name: 'charge', kind: 'value', at: 0, size: 1, value: 1 },
        ]);
      });
    }

    // holds: steps.status
    it('suspend by 206 whatever counts as a success, and only for a worker with steps', async () => {
      const { id } = await begun(answer(206, { sleep: { rest: HOUR } }), { success: ['201'] });
      expect((await suspended(id)).suspended?.steps).to.deep.equal(['rest']);
      queue = context.newQueue();
      const plain = await begun(answer(206, { sleep: { rest: HOUR } }), { steps: false });
      const job = await context.finished(queue, plain.id);
      expect(job).to.deep.include({ state: 'completed', returnvalue: { sleep: { rest: HOUR } } });
    });

    for (const [answered, failedReason] of [
      [{ steps: {} }, '206 names no new step'],
      ['no JSON', '206 needs a JSON object of steps to save or to await'],
      ['{"steps": {"a": 1e400}}', 'steps.a is a number too large to be kept'],
      [`{"steps": {"a": ${DEEP}}}`, NESTED],
      [`{"add": {"a": [{"queue": "ship", "name": "a", "data": ${DEEP}}]}}`, NESTED],
      [{ sleep: { a: 1 }, add: {} }, 'add must not be given with sleep'],
      [
        { add: { ship: [{ queue: 'elsewhere', name: 'a', data: 1 }] } },
        'add.ship[0].queue elsewhere is not allowed by the policy of <queue>',
      ],
    ] as const) {
      // holds: steps.sentences
      it(`fail the attempt by a sentence: ${failedReason}, for ${JSON.stringify(answered).slice(0, 40)}`, async () => {
        const { id, endpoint } = await begun(answer(206, answered), {}, { attempts: 2 });
        const job = await context.finished(queue, id);
        expect(job.failedReason).to.equal(failedReason.replace('<queue>', queue));
        expect(endpoint.calls).to.have.lengthOf(2);
      });
    }

    for (const [title, respond, failedReason] of [
      [
        'a value that is too large',
        answer(206, { steps: { charge: 'x'.repeat(262_144) } }),
        'Step charge exceeds 256 kB',
      ],
      [
        'a suspension too many',
        inTurn(
          answer(206, { steps: { one: 1 } }),
          answer(206, { steps: { two: 2 } }),
          answer(206, { steps: { three: 3 } }),
        ),
        'Suspended 2 times',
      ],
    ] as const) {
      // holds: steps.bounds, steps.max-calls
      it(`fail the job for good beyond a bound: ${title}`, async () => {
        const { id } = await begun(respond, {}, { attempts: 5, maxCalls: 2 });
        const job = await context.finished(queue, id);
        expect(job).to.include({ state: 'failed', failedReason, attemptsMade: 1 });
      });
    }

    // holds: steps.batches
    it('come with each job of a batch, whose answer 206 is refused', async () => {
      const endpoint = await context.newEndpoint(async ({ text }, response) => {
        const { jobs } = JSON.parse(text) as {
          readonly jobs: readonly { job: { id: string }; token: string }[];
        };
        for (const { job, token } of jobs) {
          await context.call('PUT', `${pathOf(job.id)}/steps/charge`, { of: job.id }, token);
        }
        response.writeHead(206).end('{"steps": {"charge": 1}}');
      });
      const opts = { attempts: 2 };
      const jobs = await context.add(
        queue,
        { name: 'a', data: 1, opts },
        { name: 'b', data: 2, opts },
      );
      await context.register(queue, endpoint, { steps: true, opts: { batch: { size: 2 } } });
      for (const { id } of jobs) {
        const { failedReason } = await context.finished(queue, id);
        expect(failedReason).to.equal('Batches cannot be suspended');
      }
      const { headers, text } = endpoint.calls.at(-1)!;
      expect(headers).not.to.have.property('jobgate-steps');
      const called = JSON.parse(text) as {
        jobs: readonly { job: { id: string }; steps: object }[];
      };
      for (const { job, steps } of called.jobs) {
        expect(steps).to.deep.equal({ charge: { of: job.id } });
      }
    });

    // holds: steps.report
    it('by a report end the call, whose answer counts no longer', async () => {
      const { id, endpoint } = await begun(async (call, response) => {
        const body = { sleep: { rest: HOUR } };
        await context.call('POST', `${pathOf(call.body.job.id)}/suspend`, body, call.body.token);
        await answer(200, 'too late')(call, response);
      });
      await (
        await endpoint.nextCall()
      ).answered;
      expect((await suspended(id)).state).to.equal('delayed');
      const { body } = await context.call('GET', `${pathOf(id)}/attempts`);
      const { attempts, count } = body as { attempts: readonly object[]; count: number };
      expect([attempts.length, count]).to.deep.equal([1, 0]);
      expect(attempts[0]).to.include({ number: 1, outcome: 'suspended' });
    });

    for (const cancelsChildren of [false, true]) {
      // holds: steps.add, steps.promote
      it(`wait for added jobs, which a cancellation ${cancelsChildren ? 'may take along' : 'leaves'}`, async () => {
        const add = { ship: [{ queue, name: 'label', data: 1, opts: { delay: HOUR } }] };
        const { id } = await begun(answer(206, { add }));
        await suspended(id);
        const promoted = await context.call('POST', `${pathOf(id)}/promote`);
        expect(promoted).to.deep.include({ status: 409, body: 'Job is waiting-children' });
        const { body } = await context.call('GET', pathOf(id));
        const [child] = (body as { suspended: { children: { id: string }[] } }).suspended.children;
        const path = `${pathOf(id)}/cancel${cancelsChildren ? '?children=cancel' : ''}`;
        expect((await context.call('POST', path)).status).to.equal(200);
        expect(await context.read(queue, id)).to.include({ state: 'failed' });
        const { body: left } = await context.call('GET', pathOf(child!.id));
        expect((left as Suspendable).state).to.equal(cancelsChildren ? 'failed' : 'delayed');
      });
    }

    // holds: steps.figures
    it('are counted, and suspended jobs, by the metrics', async () => {
      const { id } = await begun(answer(206, { steps: { a: 1, b: 2 }, sleep: { rest: HOUR } }));
      await suspended(id);
      expect((await context.call('GET', `/queues/${queue}`)).body).to.include({ suspended: 1 });
      const { body } = await context.call('GET', '/metrics');
      expect(body).to.include(`jobgate_jobs_suspended{queue="${queue}"} 1`);
      expect(body).to.include(`jobgate_steps_saved_total{queue="${queue}"} 2`);
    });
  });
}
