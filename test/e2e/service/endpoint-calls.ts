import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { answer, type EndpointCall } from '../../support/endpoint-server.ts';
import type { ServiceContext } from './context.ts';

/** What a registration sets for calls and for the meaning of their answers. */
export function describeEndpointCalls(context: ServiceContext): void {
  describe('calls to an endpoint', () => {
    // holds: calls.headers
    it('count the attempts in their headers', async () => {
      const queue = context.newQueue();
      const endpoint = await context.newEndpoint(answer(500));
      await context.register(queue, endpoint, { timeout: 5000 });
      const opts = { attempts: 2, timeout: 4000 };
      await context.add(queue, { name: 'grün', data: 1, opts });
      for (const attempt of ['1', '2']) {
        expect((await endpoint.nextCall()).headers).to.include({
          'jobgate-queue': queue,
          'jobgate-job-id': '1',
          'jobgate-job-name': 'gr%C3%BCn',
          'jobgate-attempt': attempt,
          'jobgate-max-attempts': '2',
          'jobgate-deadline': '4000',
        });
      }
    });

    for (const body of ['data', 'none']) {
      // holds: calls.body-data, calls.body-none
      it(`carry a valid token in the headers with the body ${body}`, async () => {
        const queue = context.newQueue();
        const endpoint = await context.newEndpoint(async ({ headers }, response) => {
          const token = String(headers['jobgate-token']);
          const path = `/queues/${queue}/jobs/${String(headers['jobgate-job-id'])}/progress`;
          const { status } = await context.call('POST', path, 50, token);
          response.writeHead(status).end('"taken"');
        });
        await context.register(queue, endpoint, { body });
        const [job] = await context.add(queue, { name: 'a', data: 'some text' });
        const finished = await context.finished(queue, job!.id);
        expect(finished).to.include({ progress: 50, returnvalue: 'taken' });
        expect((await endpoint.nextCall()).text).to.equal(body === 'data' ? 'some text' : '');
      });
    }

    // holds: calls.success
    it('complete a job with the statuses that the endpoint names', async () => {
      const queue = context.newQueue();
      const endpoint = await context.newEndpoint(answer(404, '"gone already"'));
      await context.register(queue, endpoint, { success: ['200-299', '404'] });
      const [job] = await context.add(queue, { name: 'a', data: 1 });
      const finished = await context.finished(queue, job!.id);
      expect(finished).to.include({ returnvalue: 'gone already', state: 'completed' });
      endpoint.respond = answer(300);
      const [other] = await context.add(queue, { name: 'a', data: 1 });
      expect(await context.finished(queue, other!.id)).to.include({ state: 'failed' });
    });

    // holds: signing.verified, signing.id, signing.rotation
    it('are signed with every secret that was returned', async () => {
      const queue = context.newQueue();
      const endpoint = await context.newEndpoint(answer(500));
      const worker = { queue, endpoint: { url: endpoint.url, method: 'post', signing: true } };
      const told: string[] = [];
      const tell = async (path: string, body?: unknown): Promise<void> => {
        const { secret } = (await context.call('POST', path, body)).body as { secret: string };
        told.push(secret);
      };
      const call = async (): Promise<EndpointCall> => {
        await context.add(queue, { name: 'a', data: 'grün' });
        return endpoint.nextCall();
      };
      await tell('/workers', worker);
      const first = await call();
      await tell(`/workers/${queue}/rotate-secret`);
      const second = await call();
      for (const [{ text, headers }, secret] of [
        [first, told[0]],
        [second, told[0]],
        [second, told[1]],
      ] as const) {
        const verified = new Webhook(secret!).verify(text, headers as Record<string, string>);
        expect(verified).to.have.nested.property('job.data', 'grün');
      }
      expect(() => {
        new Webhook(told[1]!).verify(first.text, first.headers as Record<string, string>);
      }).to.throw();
      await context.add(queue, { name: 'b', data: 1, opts: { attempts: 2 } });
      const ids = [await endpoint.nextCall(), await endpoint.nextCall()].map(
        ({ headers }) => headers['webhook-id'],
      );
      expect(ids[1]).to.equal(ids[0]);
      expect(ids[0]).not.to.equal(second.headers['webhook-id']);
      await context.call('DELETE', `/workers/${queue}`);
    });

    // holds: signing.one-winner
    it('are signed with the secrets that were returned when many register and rotate at once', async () => {
      const queue = context.newQueue();
      const endpoint = await context.newEndpoint();
      const worker = { queue, endpoint: { url: endpoint.url, method: 'post', signing: true } };
      const all = (path: string, body?: unknown) =>
        Promise.all(Array.from({ length: 5 }, () => context.call('POST', path, body)));
      const registered = await all('/workers', worker);
      const rotated = await all(`/workers/${queue}/rotate-secret`);
      const told = [...registered, ...rotated]
        .map(({ body }) => (body as { secret?: string }).secret)
        .filter((secret) => secret !== undefined);
      expect(told).to.have.lengthOf(6);
      await context.add(queue, { name: 'a', data: 1 });
      const { text, headers } = await endpoint.nextCall();
      for (const secret of told)
        new Webhook(secret).verify(text, headers as Record<string, string>);
      await context.call('DELETE', `/workers/${queue}`);
    });

    for (const headers of [
      { 'Webhook-Delivery': 'abort-message' },
      { 'Jobgate-No-Retry': 'true', 'Retry-After': '3600' },
    ]) {
      // holds: calls.no-retry
      it(`are not repeated after ${JSON.stringify(headers)}`, async () => {
        const queue = context.newQueue();
        const endpoint = await context.newEndpoint(answer(503, { message: 'Never' }, headers));
        await context.register(queue, endpoint);
        const [job] = await context.add(queue, { name: 'a', data: 1, opts: { attempts: 5 } });
        expect(await context.finished(queue, job!.id)).to.deep.include({
          state: 'failed',
          failedReason: 'Never',
          attemptsMade: 1,
        });
        expect(endpoint.calls).to.have.lengthOf(1);
      });
    }
  });
}
