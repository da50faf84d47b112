import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { answer, EndpointServer } from '../../support/endpoint-server.ts';
import { onEachStore } from './support/on-each-store.ts';

interface Callback {
  readonly status: number;
  readonly body: string;
  readonly retried: number;
  readonly [name: string]: unknown;
}

const decoded = (text: unknown): string => Buffer.from(String(text), 'base64').toString();

onEachStore('callbacks over QStash', (on) => {
  let callbacks: EndpointServer;
  let failures: EndpointServer;

  beforeEach(async () => {
    [callbacks, failures] = await Promise.all([EndpointServer.start(), EndpointServer.start()]);
  });
  afterEach(() => Promise.all([callbacks.close(), failures.close()]));

  // holds: qstash.callbacks
  it('follow each attempt, and the last one with its failure', async () => {
    on.server.respond = answer(500, 'no', { 'X-Why': 'broken' });
    const { messageId } = await on.service.client.publish({
      url: on.server.url,
      body: 'order',
      headers: { 'content-type': 'text/plain', 'x-mine': '1' },
      retries: 1,
      retryDelay: '0',
      callback: callbacks.url,
      failureCallback: failures.url,
    });
    const first = await callbacks.nextCall();
    const second = await callbacks.nextCall();
    const last = await failures.nextCall();
    const [one, two, failed] = [first, second, last].map(
      ({ text }) => JSON.parse(text) as Callback,
    );
    expect([one?.retried, two?.retried, failed?.retried]).to.have.members([0, 1, 1]);
    expect(failed).to.deep.include({
      status: 500,
      maxRetries: 1,
      sourceMessageId: messageId,
      dlqId: messageId,
      url: on.server.url,
      method: 'POST',
      sourceHeader: { 'Content-Type': ['text/plain'], 'X-Mine': ['1'] },
    });
    expect(failed?.['header']).to.deep.include({ 'X-Why': ['broken'] });
    expect([decoded(failed?.body), decoded(failed?.['sourceBody'])]).to.deep.equal(['no', 'order']);
    const signature = String(last.headers['upstash-signature']);
    const signed = { signature, body: last.text, url: failures.url };
    expect(await on.service.receiver.verify(signed)).to.equal(true);
    expect(callbacks.calls).to.have.length(2);
  });

  it('have headers of their own', async () => {
    await on.service.raw('POST', `/v2/publish/${on.server.url}`, {
      'upstash-callback': callbacks.url,
      'upstash-callback-method': 'PUT',
      'upstash-callback-forward-x-run': '17',
      'upstash-callback-retries': '1',
      'upstash-callback-retry-delay': '0',
      'upstash-forward-x-run': 'not this',
    });
    callbacks.respond = answer(500);
    const { method, headers } = await callbacks.nextCall();
    expect({ method, run: headers['x-run'] }).to.deep.equal({ method: 'PUT', run: '17' });
    expect((await callbacks.nextCall()).headers['upstash-retried']).to.equal('1');
  });

  // holds: qstash.callbacks
  it('do not hold up the next message of a queue', async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    callbacks.respond = async (call, response) => {
      await released;
      return answer(200)(call, response);
    };
    const queue = on.service.client.queue({ queueName: 'orders' });
    await queue.enqueue({ url: on.server.url, body: '1', callback: callbacks.url });
    await queue.enqueue({ url: on.server.url, body: '2' });
    await callbacks.nextCall();
    expect([(await on.server.nextCall()).text, (await on.server.nextCall()).text]).to.deep.equal([
      '1',
      '2',
    ]);
    release();
  });

  // holds: qstash.redaction
  it('of what readers may not see hide it too', async () => {
    const path = `/v2/publish/${on.server.url}`;
    const headers = {
      'content-type': 'text/plain',
      'upstash-forward-authorization': 'Bearer s',
      'upstash-redact-fields': 'body, header[Authorization]',
      'upstash-callback': callbacks.url,
    };
    const published = await on.service.raw('POST', path, headers, 'secret');
    const { messageId } = (await published.json()) as { messageId: string };
    const { text, headers: sent } = await on.server.nextCall();
    expect([text, sent['authorization']]).to.deep.equal(['secret', 'Bearer s']);
    const hidden = (value: string) =>
      `REDACTED:${createHash('sha256').update(value).digest('hex')}`;
    const { sourceBody, sourceHeader } = JSON.parse((await callbacks.nextCall()).text) as Callback;
    expect(decoded(sourceBody)).to.equal(hidden('secret'));
    expect(sourceHeader).to.deep.equal({
      'Content-Type': ['text/plain'],
      Authorization: [hidden('Bearer s')],
    });
    const job = await (await on.service.rest('GET', `/queues/qstash/jobs/${messageId}`)).text();
    expect(job).to.include(hidden('secret')).and.not.to.include('"secret"');
  });
});
