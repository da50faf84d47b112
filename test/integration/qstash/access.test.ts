import { expect } from 'chai';
import { rejection } from '../../support/rejection.ts';
import { onEachStore } from './support/on-each-store.ts';

onEachStore('access over QStash', (on) => {
  const token = async (given: object): Promise<string> => {
    const made = await on.service.rest('POST', '/tokens', { name: 'program', ...given });
    return ((await made.json()) as { token: string }).token;
  };
  const publish = (authorization: string, path = `/v2/publish/${on.server.url}`) =>
    on.service.raw('POST', path, { authorization }, 'x');

  // holds: qstash.rights
  it('takes the tokens of the service, with their rights and queues', async () => {
    const adding = await token({ rights: ['add'] });
    const reading = await token({ rights: ['read'] });
    const limited = await token({ rights: ['add'], queues: ['orders-*'] });
    expect((await publish(`Bearer ${adding}`)).status).to.equal(201);
    expect((await publish(`Bearer ${reading}`)).status).to.equal(403);
    expect((await publish(`Bearer ${limited}`)).status).to.equal(403);
    const queue = `/v2/enqueue/orders-1/${on.server.url}`;
    expect((await publish(`Bearer ${limited}`, queue)).status).to.equal(201);
  });

  // holds: qstash.rights, qstash.flow-control
  it('shows and pauses a flow control key in the queues of the caller alone', async () => {
    const flowControl = { key: 'tenant one', parallelism: 7 };
    const message = { url: on.server.url, delay: 3600, flowControl };
    await on.service.client.publish(message);
    const own = { rights: ['add', 'read', 'operate'], queues: ['two-*'] };
    const other = on.service.clientOf(await token(own));
    expect(await rejection(other.flowControl.get('tenant one'))).to.have.property('status', 404);
    const listed = await on.service.raw('GET', '/v2/flowControl', {
      authorization: `Bearer ${await token(own)}`,
    });
    expect(await listed.json()).to.deep.equal([]);
    await other
      .queue({ queueName: 'two-a' })
      .enqueue({ ...message, flowControl: { key: 'two', parallelism: 1 } });
    await other.flowControl.pause('tenant one');
    const known = await on.service.client.flowControl.get('tenant one');
    expect(known).to.include({ parallelismMax: 7, isPaused: false, waitListSize: 1 });
    const reading = on.service.clientOf(await token({ rights: ['read'] }));
    expect(await rejection(reading.flowControl.pause('tenant one'))).to.have.property(
      'status',
      403,
    );
    const adding = on.service.clientOf(await token({ rights: ['add'] }));
    expect(await rejection(adding.flowControl.get('tenant one'))).to.have.property('status', 403);
  });

  // holds: qstash.token
  it('refuses an unknown token, and one in the query', async () => {
    for (const authorization of ['', 'Bearer unknown', 'Basic eA==']) {
      const refused = await publish(authorization);
      expect(refused.status).to.equal(401);
      expect(await refused.json()).to.have.all.keys('error');
    }
    const inQuery = await publish('', `/v2/publish/${on.server.url}?qstash_token=x`);
    expect([inQuery.status, await inQuery.json()]).to.deep.equal([
      401,
      { error: 'A token in the query is refused: send it in the header Authorization' },
    ]);
  });

  // holds: qstash.limits
  it('tells a program of its limit as its client reads it', async () => {
    const limited = await token({
      rights: ['add'],
      limits: { requests: { max: 1, duration: 60_000 } },
    });
    const client = on.service.clientOf(limited);
    await client.publish({ url: on.server.url });
    const refused = await client.publish({ url: on.server.url }).catch((error: unknown) => error);
    expect(refused).to.include({ name: 'QstashRatelimitError', limit: '1', remaining: '0' });
  });
});
