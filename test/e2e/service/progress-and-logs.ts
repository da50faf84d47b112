import { expect } from 'chai';
import type { EndpointServer } from '../../support/endpoint-server.ts';
import type { ServiceContext } from './context.ts';

/** Progress and logs with the job token (specification, "Authentication", rules 2 and 3). */
export function describeProgressAndLogs(context: ServiceContext): void {
  describe('progress and logs', () => {
    let queue: string;
    let endpoint: EndpointServer;
    let release: (status?: number) => void;

    beforeEach(async () => {
      queue = context.newQueue();
      endpoint = await context.newEndpoint((_call, response) => {
        release = (status = 200) => response.writeHead(status).end();
      });
      await context.register(queue, endpoint);
    });

    async function running(): Promise<{ path: string; id: string; token: string }> {
      const { body } = await endpoint.nextCall();
      const { id } = body.job;
      return { id, path: `/queues/${queue}/jobs/${id}`, token: body.token };
    }

    // holds: progress.value, progress.answer
    it('lets the endpoint report progress of any JSON value', async () => {
      await context.add(queue, { name: 'a', data: 1 });
      const { id, path, token } = await running();
      for (const progress of [42, { step: 'two', of: 3 }, 'half', null, [1], false]) {
        const answer = await context.call('POST', `${path}/progress`, progress, token);
        expect(answer).to.deep.include({ status: 200, body: 'OK' });
        expect((await context.read(queue, id)).progress).to.deep.equal(progress);
      }
      release();
      await context.finished(queue, id);
    });

    // holds: service.workers, logs.append, logs.read
    it('keeps the log lines in order and returns them by pages', async () => {
      await context.add(queue, { name: 'a', data: 1 });
      const { id, path, token } = await running();
      for (let line = 0; line < 12; line += 1) {
        const answer = await context.call('POST', `${path}/logs`, `line ${line}`, token);
        expect(answer).to.deep.include({ status: 200, body: 'OK' });
      }
      release();
      await context.finished(queue, id);
      const first = await context.call('GET', `${path}/logs`);
      expect(first.body).to.deep.equal({
        count: 12,
        logs: Array.from({ length: 10 }, (_, line) => `line ${line}`),
      });
      const rest = await context.call('GET', `${path}/logs?start=10&length=5`);
      expect(rest.body).to.deep.equal({ count: 12, logs: ['line 10', 'line 11'] });
    });

    // holds: auth.job-token, answers.unauthorized, job-token.wrong
    it('refuses every token but that of the running attempt', async () => {
      await context.add(
        queue,
        { name: 'a', data: 1, opts: { attempts: 2 } },
        { name: 'b', data: 1 },
      );
      const first = await running();
      const refused = async (path: string, token: string): Promise<void> => {
        for (const part of ['progress', 'logs']) {
          const answer = await context.call('POST', `${path}/${part}`, 'x', token);
          expect(answer.status).to.equal(401);
          expect(answer.headers.get('www-authenticate')).to.equal('Bearer error="invalid_token"');
        }
      };
      await refused(first.path, 'wrong');
      await refused(first.path, 'test-token');
      await refused(`/queues/${queue}/jobs/none`, first.token);
      release(500);
      const second = await running();
      await refused(first.path, first.token);
      await refused(second.path, first.token);
      release();
      const again = await running();
      expect(again.id).to.equal(first.id);
      expect(again.token).not.to.equal(first.token);
      await refused(again.path, first.token);
      release();
      await context.finished(queue, again.id);
      await refused(again.path, again.token);
    });
  });
}
