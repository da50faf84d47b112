import { expect } from 'chai';
import { answer, type EndpointCall } from '../../support/endpoint-server.ts';
import { onEachStore } from './support/on-each-store.ts';

interface Published {
  readonly messageId: string;
  readonly deduplicated?: boolean;
}

onEachStore('messages over QStash', (on) => {
  const calls = async (count: number): Promise<readonly EndpointCall[]> => {
    const received: EndpointCall[] = [];
    while (received.length < count) received.push(await on.server.nextCall());
    return received;
  };

  // holds: qstash.order
  it('of a queue go one after the other, also while one is tried again', async () => {
    const failures = new Map([['1', 2]]);
    on.server.respond = (call, response) => {
      const left = failures.get(call.text) ?? 0;
      failures.set(call.text, left - 1);
      return answer(left > 0 ? 500 : 200)(call, response);
    };
    const queue = on.service.client.queue({ queueName: 'fifo' });
    for (const body of ['0', '1', '2', '3']) {
      await queue.enqueue({ url: on.server.url, body, retries: 3, retryDelay: '10' });
    }
    const received = await calls(6);
    expect(received.map(({ text }) => text)).to.deep.equal(['0', '1', '1', '1', '2', '3']);
    const retried = received.map(({ headers }) => headers['upstash-retried']);
    expect(retried).to.deep.equal(['0', '0', '1', '2', '0', '0']);
  });

  // holds: qstash.queues
  it('are taken when the first of a queue come at once', async () => {
    const queue = on.service.client.queue({ queueName: 'at-once' });
    const sending = Array.from({ length: 30 }, () => queue.enqueue({ url: on.server.url }));
    expect(await Promise.all(sending)).to.have.length(30);
  });

  // holds: qstash.queues
  it('are refused by a queue that has a worker of its own', async () => {
    const endpoint = { url: on.server.url, method: 'post' };
    await on.service.rest('POST', '/workers', { queue: 'mail', endpoint });
    const path = `/v2/enqueue/mail/${on.server.url}`;
    const refused = await on.service.raw('POST', path, {}, 'x');
    expect([refused.status, await refused.json()]).to.deep.equal([
      409,
      { error: 'The queue mail has a worker or jobs of its own' },
    ]);
  });

  // holds: qstash.batch
  it('come in batches, some of them for queues', async () => {
    const published = (await on.service.client.batch([
      { url: on.server.url, body: 'a' },
      { url: on.server.url, body: 'b', queueName: 'batched' },
    ])) as readonly Published[];
    const received = await calls(2);
    const ids = Object.fromEntries(
      received.map(({ text, headers }) => [text, headers['upstash-message-id']]),
    );
    expect(ids).to.deep.equal({ a: published[0]?.messageId, b: published[1]?.messageId });
    expect(published[1]?.messageId).to.match(/_batched$/);
  });

  // holds: qstash.deduplication
  it('are published once for an id, or for the same content', async () => {
    const publish = (terms: object) =>
      on.service.client.publish({
        url: on.server.url,
        body: 'once',
        ...terms,
      }) as Promise<Published>;
    const first = await publish({ deduplicationId: 'order-17' });
    const second = await publish({ deduplicationId: 'order-17', body: 'other' });
    expect(second).to.deep.equal({ ...first, deduplicated: true });
    const third = await publish({ contentBasedDeduplication: true });
    const fourth = await publish({ contentBasedDeduplication: true });
    expect(fourth).to.deep.equal({ ...third, deduplicated: true });
    expect((await calls(2)).map(({ text }) => text)).to.deep.equal(['once', 'once']);
  });

  it('wait for their time', async () => {
    const published = await on.service.client.publish({
      url: on.server.url,
      body: 'x',
      delay: 3600,
    });
    const { messageId } = published as Published;
    const job = await (await on.service.rest('GET', `/queues/qstash/jobs/${messageId}`)).json();
    expect(job).to.deep.include({ state: 'delayed', delay: 3_600_000, name: 'qstash' });
  });

  // holds: qstash.retries
  it('end with an answer that says so, and are put off by Retry-After alone', async () => {
    on.server.respond = answer(489, '', { 'Upstash-NonRetryable-Error': 'true' });
    const { messageId } = await on.service.client.publish({ url: on.server.url, body: 'bad' });
    const read = async (id: string) =>
      (await (await on.service.rest('GET', `/queues/qstash/jobs/${id}`)).json()) as {
        state: string;
        attemptsMade: number;
      };
    await on.server.nextCall();
    await on.service.ended(messageId);
    expect(await read(messageId)).to.include({ state: 'failed', attemptsMade: 1 });

    on.server.respond = answer(503, '', { 'Retry-After': '3600' });
    const later = await on.service.client.publish({ url: on.server.url, body: 'later' });
    await on.server.nextCall();
    on.server.respond = answer(206);
    const other = await on.service.client.publish({ url: on.server.url, body: 'other' });
    expect((await on.server.nextCall()).text).to.equal('other');
    await on.service.ended(other.messageId);
    expect(await read(other.messageId)).to.include({ state: 'completed' });
    expect(await read(later.messageId)).to.include({ state: 'delayed', attemptsMade: 1 });
  });
});
