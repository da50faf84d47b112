import { hostname } from 'node:os';
import { expect } from 'chai';
import type { AttemptJson } from '../../../src/domain/attempts/attempt-record.ts';
import { answer, type EndpointHandler } from '../../support/endpoint-server.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/redis/free-port.ts';
import type { ServiceContext } from './context.ts';

interface Attempts {
  readonly count: number;
  readonly attempts: readonly AttemptJson[];
}

const HOLD: EndpointHandler = () => undefined;

/** The outcomes of attempts, as they are read later. */
export function describeAttempts(context: ServiceContext): void {
  describe('attempts on record', () => {
    async function attemptsOf(queue: string, id: string): Promise<Attempts> {
      const path = `/queues/${queue}/jobs/${id}/attempts`;
      const { status, body } = await context.call('GET', path);
      expect(status).to.equal(200);
      return body as Attempts;
    }

    const body = { message: 'no such address' };
    for (const [outcome, respond, told, settings] of [
      [
        'completed',
        answer(201, { sent: 3 }),
        { status: 201, reason: null, response: '{"sent":3}' },
        {},
      ],
      [
        'failed',
        answer(422, body),
        { status: 422, reason: body.message, response: JSON.stringify(body) },
        {},
      ],
      [
        'timeout',
        HOLD,
        { status: null, reason: 'Endpoint call timed out after 50 ms', response: null },
        { timeout: 50 },
      ],
      [
        'refused',
        (_call, response) => void response.destroy(),
        { status: null, response: null },
        {},
      ],
      [
        'failed',
        answer(500, 'ü'.repeat(600)),
        { status: 500, reason: 'ü'.repeat(512), response: 'ü'.repeat(512) },
        {},
      ],
    ] as const satisfies readonly (readonly [string, EndpointHandler, object, object])[]) {
      // holds: attempts.record, attempts.outcomes
      it(`show a call that ${outcome}: ${JSON.stringify(told).slice(0, 60)}`, async () => {
        const queue = context.newQueue();
        const endpoint = await context.newEndpoint(respond);
        await context.register(queue, endpoint, settings);
        const [job] = await context.add(queue, { name: 'job', data: 1 });
        const finished = await context.finished(queue, job!.id);
        const { count, attempts } = await attemptsOf(queue, job!.id);
        expect(count).to.equal(1);
        expect(attempts).to.have.length(1);
        const [attempt] = attempts;
        expect(attempt).to.include({ number: 1, outcome, ...told });
        expect(attempt!.replica).to.equal(`${hostname()}:${context.service.pid}`);
        expect(attempt!.startedAt).to.equal(finished.processedOn);
        expect(attempt!.endedAt).to.equal(finished.finishedOn);
        expect(attempt!.durationMs).to.equal(attempt!.endedAt - attempt!.startedAt);
      });
    }

    // holds: attempts.outcomes
    it('show a connection that was refused, and the attempts after it', async () => {
      const queue = context.newQueue();
      const endpoint = await context.newEndpoint(answer(200, 'done'));
      const url = `http://127.0.0.1:${await freePort()}/`;
      await context.register(queue, endpoint, { url });
      const opts = { attempts: 20, backoff: 100 };
      const [job] = await context.add(queue, { name: 'job', data: 1, opts });
      await eventually('there is an attempt', async () => {
        return (await attemptsOf(queue, job!.id)).count > 0;
      });
      await context.register(queue, endpoint);
      await context.finished(queue, job!.id);
      const { count, attempts } = await attemptsOf(queue, job!.id);
      expect(attempts.map(({ number }) => number)).to.deep.equal(
        Array.from({ length: attempts.length }, (_, index) => count - attempts.length + 1 + index),
      );
      expect(attempts[0]).to.include({ outcome: 'refused', status: null, response: null });
      expect(attempts[0]!.reason).to.contain('ECONNREFUSED');
      expect(attempts.at(-1)).to.include({ outcome: 'completed', response: 'done', number: count });
    });

    // holds: attempts.outcomes, cancel.aborts
    it('show a call that was cancelled', async () => {
      const queue = context.newQueue();
      const endpoint = await context.newEndpoint(HOLD);
      await context.register(queue, endpoint);
      const [job] = await context.add(queue, { name: 'job', data: 1, opts: { attempts: 3 } });
      const call = await endpoint.nextCall();
      const path = `/queues/${queue}/jobs/${job!.id}/cancel`;
      await context.call('POST', path, { reason: 'ordered twice' });
      expect(await call.answered).to.equal(false);
      const { count, attempts } = await attemptsOf(queue, job!.id);
      expect(count).to.equal(1);
      const reason = 'ordered twice';
      expect(attempts[0]).to.include({ number: 1, outcome: 'cancelled', status: null, reason });
      expect(attempts[0]!.replica).to.equal(`${hostname()}:${context.service.pid}`);
    });

    // holds: attempts.record
    it('are 404 for a job that does not exist', async () => {
      const queue = context.newQueue();
      await context.add(queue, { name: 'job', data: 1 });
      for (const id of ['2', 'meta']) {
        const path = `/queues/${queue}/jobs/${id}/attempts`;
        const { status, body: text } = await context.call('GET', path);
        expect([status, text]).to.deep.equal([404, 'Job not found']);
      }
      expect(await attemptsOf(queue, '1')).to.deep.equal({ count: 0, attempts: [] });
    });
  });
}
