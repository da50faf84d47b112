import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { answer, type EndpointCall } from '../../support/endpoint-server.ts';
import { eventually } from '../../support/eventually.ts';
import { onEachStore } from './support/on-each-store.ts';

onEachStore('flow control over QStash', (on) => {
  // holds: qstash.flow-control
  it('bounds the messages of a key that run, and holds up no other message', async () => {
    const held: (() => void)[] = [];
    on.server.respond = (call: EndpointCall, response) => {
      if (call.text !== 'limited') return answer(200)(call, response);
      held.push(() => response.end());
      return undefined;
    };
    const flowControl = { key: 'user 17: a/b', parallelism: 2 };
    for (let index = 0; index < 4; index += 1) {
      await on.service.client.publish({ url: on.server.url, body: 'limited', flowControl });
    }
    await on.server.nextCall();
    await on.server.nextCall();
    await on.service.client.publish({ url: on.server.url, body: 'free' });
    await on.service.client.publish({
      url: on.server.url,
      body: 'other key',
      flowControl: { key: 'other', parallelism: 1 },
    });
    const texts = [(await on.server.nextCall()).text, (await on.server.nextCall()).text];
    expect(texts).to.have.members(['free', 'other key']);
    expect(held).to.have.length(2);
    held.shift()?.();
    expect((await on.server.nextCall()).text).to.equal('limited');
    held.shift()?.();
    expect((await on.server.nextCall()).text).to.equal('limited');
    for (const end of held) end();
  });

  // holds: qstash.flow-control
  it('bounds the messages of a key over all queues', async () => {
    let running = 0;
    let most = 0;
    on.server.respond = async (call: EndpointCall, response) => {
      running += 1;
      most = Math.max(most, running);
      response.once('close', () => (running -= 1));
      await setImmediate();
      await answer(200)(call, response);
    };
    const flowControl = { key: 'one, everywhere', parallelism: 1 };
    const queues = ['flow-a', 'flow-b'].map((queueName) => on.service.client.queue({ queueName }));
    for (let index = 0; index < 5; index += 1) {
      const message = { url: on.server.url, body: 'one', flowControl };
      await on.service.client.publish(message);
      for (const queue of queues) await queue.enqueue(message);
    }
    for (let index = 0; index < 15; index += 1) await on.server.nextCall();
    expect(most).to.equal(1);
  });

  // holds: qstash.flow-control
  it('counts the messages of all queues for the rate of a key, and says why they wait', async () => {
    const flowControl = { key: 'slow', rate: 2, period: '1h' } as const;
    const message = { url: on.server.url, body: 'one', flowControl };
    await on.service.client.publish(message);
    await on.service.client.queue({ queueName: 'slow-a' }).enqueue(message);
    await on.server.nextCall();
    await on.server.nextCall();
    const { messageId } = await on.service.client.queue({ queueName: 'slow-b' }).enqueue(message);
    expect(await on.service.client.flowControl.get('slow')).to.include({
      rateMax: 2,
      ratePeriod: 3600,
      waitListSize: 1,
    });
    for (const path of ['', '/groups/slow', `/jobs/${messageId}/blocked`]) {
      const reason = async (): Promise<string | undefined> => {
        const shown = await on.service.rest('GET', `/queues/slow-b${path}`);
        return ((await shown.json()) as { blocked?: { reason: string } }).blocked?.reason;
      };
      const expected = path === '/groups/slow' ? 'limiter' : 'groups';
      await eventually(`slow-b${path} is blocked`, async () => (await reason()) === expected);
    }
    expect(on.server.calls).to.have.length(2);
    const limits = (await (await on.service.rest('GET', '/limits')).json()) as object;
    expect(limits).to.deep.equal({ total: 0, limits: [] });
    expect((await on.service.rest('GET', '/limits/flow%2Fslow')).status).to.be.within(400, 404);
  });

  // holds: qstash.flow-control
  it('refuses a key, and a label, that is longer than a header, also in a batch', async () => {
    for (const name of ['Upstash-Flow-Control-Key', 'Upstash-Label']) {
      const headers = { [name]: 'x'.repeat(1001), 'Upstash-Flow-Control-Value': 'rate=1' };
      const entry = { destination: on.server.url, headers };
      const refused = await on.service.raw('POST', '/v2/batch', {}, JSON.stringify([entry]));
      expect(refused.status).to.equal(400);
      expect(((await refused.json()) as { error: string }).error).to.contain(name);
    }
  });

  // holds: qstash.flow-control
  it('bounds the rate of the messages of a key', async () => {
    const flowControl = { key: 'rate', rate: 2, period: '1h' } as const;
    for (let index = 0; index < 3; index += 1) {
      await on.service.client.publish({ url: on.server.url, body: 'limited', flowControl });
    }
    await on.service.client.publish({ url: on.server.url, body: 'free' });
    const calls = [
      await on.server.nextCall(),
      await on.server.nextCall(),
      await on.server.nextCall(),
    ];
    expect(calls.map(({ text }) => text)).to.have.members(['limited', 'limited', 'free']);
    expect(on.server.calls).to.have.length(3);
  });
});
