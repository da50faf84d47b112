import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { answer, type EndpointCall, type EndpointServer } from '../../support/endpoint-server.ts';
import { eventually } from '../../support/eventually.ts';
import type { ServiceContext } from './context.ts';

const SECRET = 'whsec_c2VjcmV0LW9mLWNhbGxiYWNrcy0wMTIzNDU2Nzg5';

/** An id of a message that shows nothing of the hook, the queue and the job, and has no dot. */
const DIGEST = /^msg_[\w-]{43}$/;

interface Body {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const bodyOf = ({ text }: EndpointCall): Body => JSON.parse(text) as Body;
const isAbout =
  (queue: string) =>
  ({ data }: Body): boolean =>
    data['queue'] === queue;
const originOf = ({ url }: EndpointServer): string => new URL(url).origin;

/** The service says how jobs end (reach contract, sections 17 and 18). */
export function describeHooksAndCallbacks(context: ServiceContext): void {
  describe('hooks and callbacks', () => {
    const hooks: string[] = [];

    afterEach(async () => {
      for (const id of hooks.splice(0)) await context.call('DELETE', `/hooks/${id}`);
    });

    async function putHook(queue: string, receiver: EndpointServer, more: object) {
      const id = `of-${queue}`;
      hooks.push(id);
      const { status, body } = await context.call('PUT', `/hooks/${id}`, {
        url: receiver.url,
        queues: [queue],
        ...more,
      });
      expect(status).to.equal(200);
      return body as { readonly id: string; readonly secret: string };
    }

    async function allow(queue: string, receiver: EndpointServer, more: object = {}) {
      const callbacks = { origins: [originOf(receiver)], ...more };
      const { status } = await context.call('PUT', `/queues/${queue}/policy`, { callbacks });
      expect(status).to.equal(200);
    }

    // holds: hooks.delivered, hooks.job-ended, hooks.webhook-id
    it('have a hook of failed jobs tell each, signed, and list its deliveries', async () => {
      const queue = context.newQueue();
      const receiver = await context.newEndpoint(answer(204, ''));
      const { id: hook, secret } = await putHook(queue, receiver, { events: ['job.failed'] });
      const endpoint = await context.newEndpoint(answer(500, { error: 'no paper' }));
      await context.register(queue, endpoint);
      const [job] = await context.add(queue, { name: 'welcome', data: 1, opts: { attempts: 2 } });
      const call = await receiver.nextCall();
      const { type, data } = bodyOf(call);
      expect(type).to.equal('job.failed');
      expect(data).to.deep.include({ hook, queue, attempts: 2 });
      expect(data).to.have.nested.property('job.id', job?.id);
      new Webhook(secret).verify(call.text, call.headers as Record<string, string>);
      const deliveries = await eventually('the delivery is listed', async () => {
        const { body } = await context.call('GET', `/hooks/${hook}/deliveries`);
        const { deliveries: listed } = body as {
          readonly deliveries: { id: string; state: string }[];
        };
        return listed[0]?.state === 'delivered' && listed;
      });
      expect(deliveries).to.have.lengthOf(1);
      expect(deliveries[0]).to.deep.include({
        webhookId: call.headers['webhook-id'],
        type: 'job.failed',
        attempts: 1,
        lastStatus: 204,
      });
      expect(receiver.calls).to.have.lengthOf(1);
      const resend = `/hooks/${hook}/deliveries/${deliveries[0]?.id ?? ''}/resend`;
      expect(await context.call('POST', resend)).to.include({ status: 200, body: 'OK' });
      const again = await receiver.nextCall();
      expect(again.headers['webhook-id']).to.equal(call.headers['webhook-id']).and.match(DIGEST);
      const { status } = await context.call('GET', '/queues?search=jobgate');
      expect(status).to.be.lessThan(500);
    });

    // holds: hooks.own-queues
    it('have a hook of all queues make one message of each job, and none of its own deliveries', async () => {
      const [queue, hook] = [context.newQueue(), 'of-all'];
      const receiver = await context.newEndpoint(answer(204, ''));
      hooks.push(hook);
      const events = ['job.completed', 'job.failed'];
      const put = await context.call('PUT', `/hooks/${hook}`, { url: receiver.url, events });
      expect(put.status).to.equal(200);
      await context.register(queue, await context.newEndpoint(answer(200, {})));
      // Each job ends after the delivery of the one before, which has ended by then, too.
      const ids: unknown[] = [];
      const about = (): Body[] => receiver.calls.map(bodyOf).filter(isAbout(queue));
      for (let count = 1; count <= 5; count += 1) {
        const [job] = await context.add(queue, { name: 'welcome', data: count });
        ids.push(job?.id);
        await eventually('the job is reported', () => Promise.resolve(about().length >= count));
      }
      expect(about().map(({ data }) => (data['job'] as { id: string }).id)).to.deep.equal(ids);
      expect(receiver.calls.map(bodyOf).filter(isAbout(':jobgate:hook.of-all'))).to.deep.equal([]);
    });

    if (context.playsClocks) {
      // holds: hooks.bound
      it('tell another hook once that too many messages wait for a receiver that hangs', async () => {
        const queue = context.newQueue();
        const hanging = await context.newEndpoint(() => undefined);
        const { id: hook } = await putHook(queue, hanging, { events: ['job.cancelled'] });
        const told = await context.newEndpoint(answer(204, ''));
        await putHook(`${queue}-told`, told, { events: ['hook.failing'], queues: [queue] });
        const most = 10_000;
        for (const count of [most, 100]) {
          const jobs = Array.from({ length: count }, () => ({ name: 'welcome', data: 1 }));
          await context.add(queue, ...jobs);
          const all = { all: true, limit: most };
          const { body } = await context.call('POST', `/queues/${queue}/cancel`, all);
          expect(body).to.include({ done: count });
        }
        const { type, data } = bodyOf(await told.nextCall());
        expect(type).to.equal('hook.failing');
        expect(data).to.include({ failing: hook, reason: 'Too many messages wait' });
        expect(told.calls).to.have.lengthOf(1);
      });
    }

    // holds: callbacks.delivered, callbacks.webhook-id
    it('call back with the result of a job, signed, and show that on the job', async () => {
      const queue = context.newQueue();
      const receiver = await context.newEndpoint(answer(200, ''));
      await allow(queue, receiver, { secret: SECRET });
      const endpoint = await context.newEndpoint(answer(200, { sent: true }));
      await context.register(queue, endpoint);
      const callback = { url: receiver.url, headers: { 'X-Key': 'k' } };
      const jobId = 'order.7';
      const [job] = await context.add(queue, {
        name: 'welcome',
        data: 1,
        opts: { callback, jobId },
      });
      expect(job?.opts.callback).to.deep.include({ headers: { 'X-Key': '[redacted]' } });
      const call = await receiver.nextCall();
      expect(call.headers).to.include({ 'x-key': 'k' });
      new Webhook(SECRET).verify(call.text, call.headers as Record<string, string>);
      expect(bodyOf(call)).to.deep.include({ type: 'job.completed' });
      expect(bodyOf(call).data).to.deep.equal({
        queue,
        id: job?.id,
        name: 'welcome',
        returnvalue: { sent: true },
        attemptsMade: 1,
        run: 1,
      });
      const shown = await eventually('the callback is delivered', async () => {
        const read = (await context.read(queue, job?.id ?? '')) as object;
        return (read as { callback?: { state: string } }).callback?.state === 'delivered' && read;
      });
      expect(shown).to.have.deep.property('callback', {
        state: 'delivered',
        attempts: 1,
        lastStatus: 200,
      });
      const { body: policy } = await context.call('GET', `/queues/${queue}/policy`);
      expect(policy).to.deep.equal({ callbacks: { origins: [originOf(receiver)], signed: true } });
      const resend = `/queues/${queue}/jobs/${job?.id ?? ''}/callback/resend`;
      expect(await context.call('POST', resend)).to.include({ status: 200, body: 'OK' });
      const again = await eventually('it is sent again', () =>
        Promise.resolve(receiver.calls.length === 2 && receiver.calls[1]),
      );
      expect(again.headers['webhook-id']).to.equal(call.headers['webhook-id']).and.match(DIGEST);
    });

    // holds: callbacks.origins
    it('refuse a callback to an origin that the policy does not allow', async () => {
      const queue = context.newQueue();
      const opts = { callback: { url: 'https://shop.example.com/done' } };
      const add = async () =>
        context.call('POST', `/queues/${queue}/jobs`, [{ name: 'welcome', data: 1, opts }]);
      const refusal = `[0].opts.callback.url is not allowed by the policy of ${queue}`;
      const refused = { status: 400, body: refusal };
      expect(await add()).to.include(refused);
      for (const origin of ['https://*.shop.example.com', 'http://shop.example.com']) {
        await context.call('PUT', `/queues/${queue}/policy`, { callbacks: { origins: [origin] } });
        expect(await add(), origin).to.include(refused);
      }
      const callbacks = { origins: ['https://*.example.com'] };
      await context.call('PUT', `/queues/${queue}/policy`, { callbacks });
      expect((await add()).status).to.equal(200);
      const { status } = await context.call('PUT', `/queues/${queue}/policy`, {
        callbacks: { origins: ['https://example.com/path'] },
      });
      expect(status).to.equal(400);
    });

    // holds: callbacks.dead-letters
    it('add failed jobs to a dead letter queue by the policy', async () => {
      const [queue, dead] = [context.newQueue(), context.newQueue()];
      const callback = { queue: dead, as: 'job', on: ['failed'] };
      await context.call('PUT', `/queues/${queue}/policy`, { callback });
      const endpoint = await context.newEndpoint(answer(500, ''));
      await context.register(queue, endpoint);
      const [job] = await context.add(queue, { name: 'welcome', data: { to: 'ada' } });
      const letter = await eventually('the dead letter is there', async () => {
        const { status, body } = await context.call('GET', `/queues/${dead}/jobs`);
        return status === 200 && (body as { jobs: Record<string, unknown>[] }).jobs[0];
      });
      expect(letter).to.deep.include({ name: 'welcome', data: { to: 'ada' } });
      expect(letter).to.have.nested.property('opts.origin.id', job?.id);
      const origin = { queue, id: '1' };
      const opts = { origin };
      const { status } = await context.call('POST', `/queues/${dead}/jobs`, [
        { name: 'forged', data: 1, opts },
      ]);
      expect(status).to.equal(400);
      const shown = await context.read(queue, job?.id ?? '');
      expect(shown).to.have.deep.property('callback', {
        state: 'delivered',
        attempts: 1,
        lastStatus: null,
      });
    });
  });
}
