import { expect } from 'chai';
import { Client as ClientOfBefore, Receiver as ReceiverOfBefore } from 'qstash-2.3';
import { onEachStore } from './support/on-each-store.ts';
import { KEYS, QstashService, TOKEN } from './support/qstash-service.ts';

onEachStore('publish over QStash', (on) => {
  // holds: qstash.delivery, qstash.signature
  it('deliver the very bytes, which the receiver verifies', async () => {
    const url = `${on.server.url}?a=%2F&b=https://other.example/x`;
    const { messageId } = await on.service.client.publish({
      url,
      body: '{"a": 1,  "b": "ä€😀"}',
      headers: { 'content-type': 'application/json', 'My-Header': 'mine' },
    });
    const { method, path, headers, text } = await on.server.nextCall();
    expect({ method, path }).to.deep.equal({
      method: 'POST',
      path: '/hook?a=%2F&b=https://other.example/x',
    });
    expect(text).to.equal('{"a": 1,  "b": "ä€😀"}');
    expect(headers).to.include({
      'content-type': 'application/json',
      'my-header': 'mine',
      'upstash-message-id': messageId,
      'upstash-retried': '0',
    });
    const signature = String(headers['upstash-signature']);
    expect(await on.service.receiver.verify({ signature, body: text, url })).to.equal(true);
    const before = new ReceiverOfBefore(KEYS);
    expect(await before.verify({ signature, body: text, url })).to.equal(true);
  });

  // holds: qstash.packages
  it('serve the client of the major before', async () => {
    const client = new ClientOfBefore({ baseUrl: on.service.url, token: TOKEN });
    const { messageId } = await client.publishJSON({
      url: on.server.url,
      body: { hello: 'world' },
    });
    const { headers, text } = await on.server.nextCall();
    expect(text).to.equal('{"hello":"world"}');
    expect(headers['upstash-message-id']).to.equal(messageId);
  });

  it('deliver bytes that are no text, and no body at all', async () => {
    const bytes = Uint8Array.of(0, 255, 128, 10);
    const path = `/v2/publish/${on.server.url}`;
    const published = await on.service.raw('POST', path, {}, bytes);
    expect(published.status).to.equal(201);
    const call = await on.server.nextCall();
    expect(Buffer.from(call.text, 'latin1').length).to.be.greaterThan(0);
    await on.service.raw('POST', path, { 'upstash-method': 'GET' });
    expect(await on.server.nextCall()).to.include({ method: 'GET', text: '' });
  });

  // holds: qstash.errors
  it('are refused with a sentence', async () => {
    const refused = async (path: string, headers: Record<string, string> = {}) => {
      const response = await on.service.raw('POST', path, headers, 'x');
      return [response.status, await response.json()];
    };
    expect(await refused('/v2/publish/api/llm')).to.deep.equal([
      400,
      { error: 'api/llm is not served here: publish to the URL of the provider' },
    ]);
    expect(
      await refused(`/v2/publish/${on.server.url}`, { 'upstash-delay': 'soon' }),
    ).to.deep.equal([
      400,
      { error: 'Upstash-Delay must be a duration such as 50s, 3m, 10h or 1d' },
    ]);
    const callback = await refused(`/v2/publish/${on.server.url}`, { 'upstash-callback': 'here' });
    expect(callback[0]).to.equal(400);
    expect((callback[1] as { error: string }).error).to.match(/^Upstash-Callback\.url must /);
    expect(await refused('/v2/workflows/runs')).to.have.property('0', 501);
    const other = await on.service.raw('POST', `/v2/publish/${on.server.url}`, {
      authorization: '',
    });
    expect(other.status).to.equal(401);
  });

  // holds: qstash.off
  it('are nothing to a service that does not serve them', async () => {
    const off = await QstashService.start({ STORE: 'memory', QSTASH: 'off' });
    try {
      expect((await off.raw('POST', `/v2/publish/${on.server.url}`)).status).to.equal(404);
    } finally {
      await off.stop();
    }
  });
});
