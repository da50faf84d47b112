/* eslint-disable @typescript-eslint/no-deprecated -- programs still make these calls */
import { expect } from 'chai';
import type { Client } from '@upstash/qstash';
import { Client as ClientOfBefore } from 'qstash-2.3';
import { answer, EndpointServer } from '../../support/endpoint-server.ts';
import { rejection } from '../../support/rejection.ts';
import { onEachStore } from './support/on-each-store.ts';
import { KEYS, TOKEN } from './support/qstash-service.ts';

/** A host that answers nothing, for messages that are never due. */
const NOWHERE = 'https://nowhere.invalid/hook';
const LATER = 3600;

onEachStore("calls of QStash's client", (on) => {
  let client: Client;

  before(() => {
    client = on.service.client;
  });

  const later = async (label: string, more: object = {}): Promise<string> => {
    const published = await client.publish({
      url: NOWHERE,
      body: 'hello',
      delay: LATER,
      label,
      ...more,
    });
    return published.messageId;
  };

  /** A message that failed for good. */
  const failed = async (label: string): Promise<string> => {
    on.server.respond = answer(500, 'no');
    const { messageId } = await client.publish({ url: on.server.url, retries: 0, label });
    await on.service.ended(messageId);
    return messageId;
  };

  describe('messages', () => {
    // holds: qstash.messages
    it('are read with all that was said of them, until they have ended', async () => {
      const messageId = await later('one, two', {
        headers: { 'content-type': 'text/plain', 'My-Header': 'mine' },
        method: 'PUT',
        retries: 7,
        retryDelay: '1000 * retried',
        callback: 'https://a.invalid/ended',
        failureCallback: 'https://a.invalid/failed',
        flowControl: { key: 'mail', parallelism: 3, rate: 10, period: '1m' },
      });
      const message = await client.messages.get(messageId);
      expect(message).to.deep.include({
        messageId,
        url: NOWHERE,
        method: 'PUT',
        body: 'hello',
        maxRetries: 7,
        retryDelayExpression: '1000 * retried',
        callback: 'https://a.invalid/ended',
        failureCallback: 'https://a.invalid/failed',
        flowControlKey: 'mail',
        parallelism: 3,
        rate: 10,
        period: 60,
        label: 'one',
        labels: ['one', 'two'],
      });
      expect(message.header).to.deep.include({ 'Content-Type': ['text/plain'] });
      expect(message.notBefore! - message.createdAt).to.equal(LATER * 1000);
      expect(await client.messages.cancel(messageId)).to.deep.equal({ cancelled: 1 });
      expect(await rejection(client.messages.get(messageId))).to.have.property('status', 404);
      expect(await rejection(client.messages.cancel(messageId))).to.have.property('status', 404);
    });

    it('are read shortly after their delivery, too', async () => {
      const { messageId } = await client.publish({ url: on.server.url, label: 'read' });
      await on.service.ended(messageId);
      expect(await client.messages.get(messageId)).to.include({ messageId, label: 'read' });
      expect(await rejection(client.messages.cancel(messageId))).to.have.property('status', 404);
    });

    // holds: qstash.cancel
    it('are cancelled by ids, and by what they are', async () => {
      const [one, two, three] = [await later('a'), await later('a'), await later('a,b')];
      await later('c', { url: 'https://other.invalid/x' });
      expect(await client.messages.cancel([one, 'msg_none', 'meta'])).to.deep.equal({
        cancelled: 1,
      });
      expect(await client.messages.cancel({ filter: { label: 'b' } })).to.deep.equal({
        cancelled: 1,
      });
      expect(await rejection(client.messages.get(three))).to.have.property('status', 404);
      const byHost = { filter: { host: ['other.invalid'], path: '/x' } };
      expect(await client.messages.cancel(byHost)).to.deep.equal({ cancelled: 1 });
      expect(await client.messages.get(two)).to.have.property('messageId', two);
      expect(await client.messages.deleteAll()).to.equal(1);
      await client.messages.delete(await later('d'));
      expect(await client.messages.deleteMany([await later('e')])).to.equal(1);
    });

    // holds: qstash.cancel
    it('are cancelled up to a count, and all of them without one', async () => {
      for (const label of ['f', 'f', 'g', 'h']) await later(label, { url: `${NOWHERE}?${label}` });
      const cancelled = async (query: string) =>
        (await on.service.raw('DELETE', `/v2/messages${query}`)).json();
      expect(await cancelled('?label=f&count=1')).to.deep.equal({ cancelled: 1 });
      expect(await cancelled('?label=f&count=1&callerIP=127.0.0.1')).to.deep.equal({
        cancelled: 1,
      });
      await later('i,j');
      const urls = encodeURIComponent(`${NOWHERE}?g,${NOWHERE}?h`);
      expect(await cancelled(`?url=${urls}&label=g,h`)).to.deep.equal({ cancelled: 2 });
      await later('f');
      expect(await cancelled('')).to.deep.equal({ cancelled: 2 });
    });

    // holds: qstash.cancel
    it('are not chosen by an unknown filter, nor by an id that is empty', async () => {
      const messageId = await later('kept');
      for (const [query, refusal] of [
        ...(['?lable=a', '?count=x'] as const).map((each) => [each, 400] as const),
        ['/', 404] as const,
      ]) {
        const { status } = await on.service.raw('DELETE', `/v2/messages${query}`);
        expect([query, status]).to.deep.equal([query, refusal]);
      }
      expect(await client.messages.cancel(messageId)).to.deep.equal({ cancelled: 1 });
      const byBody = await on.service.raw('DELETE', '/v2/messages', {}, '{"messageIds":["msg_1"]}');
      expect([byBody.status, await byBody.json()]).to.deep.equal([202, { cancelled: 0 }]);
    });
  });

  describe('the dead letter queue', () => {
    // holds: qstash.dlq
    it('has what failed, and not what was cancelled', async () => {
      const label = 'dlq';
      const [one, two] = [await failed(label), await failed(label)];
      await client.messages.cancel(await later(label));
      const { messages, cursor } = await client.dlq.listMessages({ filter: { label } });
      expect(messages.map(({ dlqId }) => dlqId)).to.have.members([one, two]);
      expect(messages[0]).to.deep.include({ responseStatus: 500, url: on.server.url });
      expect(cursor).to.equal(undefined);
      const wrong = await client.dlq.listMessages({ filter: { label, responseStatus: 404 } });
      expect(wrong.messages).to.deep.equal([]);
      const right = await client.dlq.listMessages({ filter: { label, responseStatus: [500] } });
      expect(right.messages).to.have.lengthOf(2);
      expect((await client.dlq.listMessages({ dlqIds: [one] })).messages).to.have.lengthOf(1);
      await client.dlq.delete(one);
      expect(await rejection(client.dlq.delete(one))).to.have.property('status', 404);
      expect(await client.dlq.deleteMany({ dlqIds: [two] })).to.deep.include({ deleted: 1 });
    });

    // holds: qstash.dlq
    it('has a status also of a message that no endpoint answered', async () => {
      const { messageId } = await client.publish({ url: NOWHERE, retries: 0 });
      await on.service.ended(messageId);
      const { messages } = await client.dlq.listMessages({ filter: { messageId } });
      expect(messages.map(({ responseStatus }) => responseStatus)).to.deep.equal([0]);
    });

    // holds: qstash.dlq
    it('starts messages over, page by page', async () => {
      const label = 'retry';
      const ids = [await failed(label), await failed(label), await failed(label)];
      on.server.respond = answer(200);
      const retried: string[] = [];
      let cursor: string | undefined;
      do {
        const request = { filter: { label }, count: 2, ...(cursor !== undefined && { cursor }) };
        const page = await client.dlq.retry(request);
        retried.push(...page.responses.map(({ messageId }) => messageId));
        cursor = page.cursor;
      } while (cursor !== undefined);
      expect(retried).to.have.members(ids);
      for (const id of ids) await on.service.ended(id);
      expect((await client.dlq.listMessages({ filter: { label } })).messages).to.deep.equal([]);
      const again = await failed(label);
      expect((await client.dlq.retry(again)).responses).to.deep.equal([{ messageId: again }]);
      await on.service.ended(again);
    });
  });

  describe('logs', () => {
    // holds: qstash.logs
    it('have the states of a message, newest first', async () => {
      let calls = 0;
      on.server.respond = (call, response) => answer((calls += 1) < 2 ? 500 : 200)(call, response);
      const { messageId } = await client.publish({
        url: on.server.url,
        body: 'hello',
        retryDelay: '1',
      });
      await on.service.ended(messageId);
      const { logs } = await client.logs({ messageIds: [messageId] });
      expect(logs.map(({ state }) => state)).to.deep.equal([
        'DELIVERED',
        'ACTIVE',
        'RETRY',
        'ERROR',
        'ACTIVE',
        'CREATED',
      ]);
      expect(logs[0]).to.include({
        ...{ messageId, url: on.server.url, method: 'POST', maxRetries: 3 },
        ...{ retryDelayExpression: '1', retryDelayExpr: '1' },
        body: Buffer.from('hello').toString('base64'),
      });
      expect(logs[3]?.error).to.include('500');
      const { logs: errors } = await client.logs({ filter: { state: 'ERROR', messageId } });
      expect(errors).to.have.lengthOf(1);
    });

    it('refuse a cursor that they did not give, and an unknown filter', async () => {
      for (const path of ['events?cursor=x', 'logs?cursor=eyJ9', 'events?state=LOST', 'dlq?a=b']) {
        const { status } = await on.service.raw('GET', `/v2/${path}`);
        expect([path, status]).to.deep.equal([path, 400]);
      }
    });

    // holds: qstash.logs
    it('say what was cancelled, and go on at a cursor', async () => {
      const label = 'logs';
      for (let index = 0; index < 3; index += 1) await client.messages.cancel(await later(label));
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await client.logs({
          count: 2,
          filter: { label, state: 'CANCELED' },
          ...(cursor !== undefined && { cursor }),
        });
        found.push(...page.logs.map(({ messageId }) => messageId));
        cursor = page.cursor;
      } while (cursor !== undefined);
      expect(new Set(found)).to.have.property('size', 3);
    });
  });

  describe('queues', () => {
    // holds: qstash.queues
    it('are made, changed, listed, paused and removed', async () => {
      const queue = client.queue({ queueName: 'orders' });
      await queue.upsert({ parallelism: 2 });
      expect(await queue.get()).to.include({ name: 'orders', parallelism: 2, paused: false });
      await queue.pause();
      await queue.enqueueJSON({ url: on.server.url, body: { a: 1 } });
      expect(await queue.get()).to.include({ paused: true, lag: 1 });
      await queue.resume();
      await on.server.nextCall();
      const asDocumented = '{"queueName":"orders","parallelism":4}';
      await on.service.raw('POST', '/v2/queues/', {}, asDocumented);
      expect(await queue.get()).to.include({ parallelism: 4 });
      await queue.upsert({ parallelism: 5, paused: true });
      expect(await queue.get()).to.include({ parallelism: 5, paused: true });
      expect((await queue.list()).map(({ name }) => name)).to.deep.equal(['orders']);
      await queue.delete();
      expect(await rejection(queue.get())).to.have.property('status', 404);
      expect(await rejection(queue.pause())).to.have.property('status', 404);
      expect(await queue.list()).to.deep.equal([]);
    });

    // holds: qstash.queues
    it('are none that another interface made', async () => {
      await on.service.rest('POST', '/queues/others/jobs', [{ name: 'a', data: 1 }]);
      const others = client.queue({ queueName: 'others' });
      expect(await rejection(others.get())).to.have.property('status', 409);
      expect(await rejection(others.delete())).to.have.property('status', 409);
      expect(await rejection(others.upsert({ parallelism: 1 }))).to.have.property('status', 409);
      const own = client.queue({ queueName: 'qstash' });
      expect(await rejection(own.upsert({ parallelism: 1 }))).to.have.property('status', 400);
    });
  });

  describe('schedules', () => {
    // holds: qstash.schedules
    it('are made, read, listed, paused and removed', async () => {
      const { scheduleId } = await client.schedules.create({
        destination: NOWHERE,
        cron: 'CRON_TZ=Europe/Berlin 5 4 * * *',
        body: '{"a":1}',
        headers: { 'My-Header': 'mine' },
        retries: 2,
        delay: '10s',
        queueName: 'nightly',
        label: 'night',
      });
      const schedule = await client.schedules.get(scheduleId);
      expect(schedule).to.deep.include({
        scheduleId,
        destination: NOWHERE,
        cron: 'CRON_TZ=Europe/Berlin 5 4 * * *',
        body: '{"a":1}',
        retries: 2,
        delay: 10,
        queueName: 'nightly',
        isPaused: false,
        label: 'night',
        method: 'POST',
      });
      expect(schedule.header).to.deep.include({ 'My-Header': ['mine'] });
      expect(schedule.nextScheduleTime).to.be.greaterThan(Date.now());
      await client.schedules.pause({ schedule: scheduleId });
      expect(await client.schedules.get(scheduleId)).to.have.property('isPaused', true);
      await client.schedules.resume({ schedule: scheduleId });
      const byPost = await on.service.raw('POST', `/v2/schedules/${scheduleId}/pause`);
      expect(byPost.status).to.equal(200);
      expect(await client.schedules.list()).to.have.lengthOf(1);
      await client.schedules.delete(scheduleId);
      const gone = await rejection(client.schedules.get(scheduleId));
      expect(gone).to.have.property('status', 404);
    });

    it('keep their id, and refuse what is no cron expression', async () => {
      const ofId = { destination: NOWHERE, scheduleId: 'mine', cron: '0 0 1 1 *' };
      await client.schedules.create(ofId);
      expect(await client.schedules.create({ ...ofId, cron: '1 0 1 1 *' })).to.deep.equal({
        scheduleId: 'mine',
      });
      const changed = await client.schedules.get('mine');
      expect(changed).to.have.property('cron', '1 0 1 1 *');
      expect(changed.body).to.equal(undefined);
      const path = `/v2/publish/${NOWHERE}`;
      const headers = { 'upstash-cron': '0 0 1 1 *', 'upstash-schedule-id': 'published' };
      const published = await on.service.raw('POST', path, headers, 'x');
      expect(await published.json()).to.deep.equal({ scheduleId: 'published' });
      for (const cron of ['x', '* * *', '61 * * * *', '', 'CRON_TZ=Nowhere 1 * * * *']) {
        const wrong = await rejection(client.schedules.create({ destination: NOWHERE, cron }));
        expect([cron, (wrong as { status?: number }).status]).to.deep.equal([cron, 400]);
        expect(wrong.message).to.include('Upstash-Cron ').and.not.include('repeat');
      }
      const toNone = client.schedules.create({ destination: 'no-group', cron: '* * * * *' });
      expect(await rejection(toNone)).to.have.property('status', 404);
      for (const id of ['mine', 'published']) await client.schedules.delete(id);
    });

    // holds: qstash.schedules
    it('publish to the endpoints that a group has by then', async () => {
      await client.urlGroups.addEndpoints({ name: 'timed', endpoints: [{ url: on.server.url }] });
      const { scheduleId } = await client.schedules.create({
        destination: 'timed',
        cron: '* * * * * *',
        body: 'tick',
      });
      const { headers, text } = await on.server.nextCall();
      expect(text).to.equal('tick');
      expect(headers).to.include({
        'upstash-schedule-id': scheduleId,
        'upstash-topic-name': 'timed',
      });
      const messageId = String(headers['upstash-message-id']);
      const { logs } = await client.logs({ messageIds: [messageId] });
      expect(logs[0]).to.include({ urlGroup: 'timed' });
      await client.schedules.delete(scheduleId);
      await client.urlGroups.delete('timed');
    });
  });

  describe('flow control', () => {
    // holds: qstash.flow-control
    it('is read, paused and resumed', async () => {
      const flowControl = { key: 'customer 7', parallelism: 1, rate: 5, period: 10 } as const;
      await client.publish({ url: NOWHERE, delay: LATER, label: 'flow', flowControl });
      const bounded = await later('flow', { flowControl: { key: 'a', parallelism: 2 } });
      expect(await client.messages.get(bounded)).to.include({ parallelism: 2, period: 1 });
      expect(await client.flowControl.get('customer 7')).to.include({
        flowControlKey: 'customer 7',
        parallelismMax: 1,
        rateMax: 5,
        ratePeriod: 10,
        isPaused: false,
        waitListSize: 1,
      });
      await client.flowControl.pause('customer 7');
      expect(await client.flowControl.get('customer 7')).to.have.property('isPaused', true);
      await client.publish({ url: on.server.url, flowControl });
      await client.publish({ url: on.server.url, body: 'other' });
      expect((await on.server.nextCall()).text).to.equal('other');
      await client.flowControl.resume('customer 7');
      expect((await on.server.nextCall()).text).to.equal('');
      const listed = await on.service.raw('GET', '/v2/flowControl?search=customer');
      expect(await listed.json()).to.have.lengthOf(1);
      const unknown = await rejection(client.flowControl.get('none'));
      expect(unknown).to.have.property('status', 404);
      await client.messages.cancel({ filter: { label: 'flow' } });
    });

    // holds: qstash.not-served
    it('refuses what it has not, with a sentence', async () => {
      const refused = [
        client.flowControl.pin('a', { parallelism: 1 }),
        client.flowControl.unpin('a', { parallelism: true }),
        client.flowControl.resetRate('a'),
        client.flowControl.getGlobalParallelism(),
        client.http.request({ method: 'POST', path: ['v2', 'keys', 'rotate'] }),
        client.http.request({ method: 'POST', path: ['v2', 'notify', 'event'] }),
      ];
      for (const call of refused) {
        const error = (await rejection(call)) as Error & { status: number };
        expect(error.status).to.equal(501);
        expect(error.message).to.match(/^\{"error":".{20,}"\}$/);
      }
    });
  });

  describe('URL groups', () => {
    // holds: qstash.url-groups
    it('take endpoints, and send each a message of its own', async () => {
      const name = 'subscribers';
      const other = await EndpointServer.start();
      await client.urlGroups.addEndpoints({
        name,
        endpoints: [{ name: 'first', url: on.server.url }, { url: other.url }],
      });
      expect(await client.urlGroups.get(name)).to.deep.include({
        name,
        endpoints: [{ name: 'first', url: on.server.url }, { url: other.url }],
      });
      const published = await client.publishJSON({ urlGroup: name, body: { a: 1 } });
      expect(published.map(({ url }) => url)).to.deep.equal([on.server.url, other.url]);
      for (const each of [on.server, other]) {
        expect((await each.nextCall()).headers['upstash-topic-name']).to.equal(name);
      }
      await client.urlGroups.removeEndpoints({ name, endpoints: [{ name: 'first' }] });
      expect(await client.topics.list()).to.have.lengthOf(1);
      // As there, also without such a group.
      for (let time = 0; time < 2; time += 1) await client.urlGroups.delete(name);
      expect(await rejection(client.urlGroups.get(name))).to.have.property('status', 404);
      await other.close();
    });
  });

  // holds: qstash.packages
  it('serves every call of the client of the major before', async () => {
    const old = new ClientOfBefore({ baseUrl: on.service.url, token: TOKEN });
    const { messageId } = await old.publish({ url: NOWHERE, body: 'hello', delay: LATER });
    expect(await old.messages.get(messageId)).to.include({ messageId, url: NOWHERE });
    await old.messages.delete(messageId);
    const { events } = await old.events();
    expect(events.map(({ messageId: id }) => id)).to.include(messageId);
    const dead = await failed('before');
    expect((await old.dlq.listMessages()).messages.map(({ dlqId }) => dlqId)).to.include(dead);
    await old.dlq.delete(dead);
    await old.topics.addEndpoints({ name: 'before', endpoints: [{ url: NOWHERE }] });
    expect(await old.topics.get('before')).to.have.property('name', 'before');
    expect(await old.topics.list()).to.have.lengthOf(1);
    const sent = await old.publishJSON({ topic: 'before', body: { a: 1 }, delay: LATER });
    expect(sent).to.have.lengthOf(1);
    await client.messages.cancel(sent.map(({ messageId: id }) => id));
    await old.topics.removeEndpoints({ name: 'before', endpoints: [{ url: NOWHERE }] });
    const { scheduleId } = await old.schedules.create({
      destination: NOWHERE,
      cron: '0 0 1 1 *',
    });
    expect(await old.schedules.get(scheduleId)).to.have.property('cron', '0 0 1 1 *');
    expect(await old.schedules.list()).to.have.lengthOf(1);
    await old.schedules.delete(scheduleId);
  });

  // holds: qstash.keys
  it('reads the keys that sign', async () => {
    const keys = await on.service.raw('GET', '/v2/keys');
    expect(await keys.json()).to.deep.equal({
      current: KEYS.currentSigningKey,
      next: KEYS.nextSigningKey,
    });
  });

  it('shows that a message becomes active in the logs of its state', async () => {
    let release = (): void => undefined;
    on.server.respond = (_, response) => {
      release = () => response.end();
    };
    const { messageId } = await client.publish({ url: on.server.url });
    await on.server.nextCall();
    const { logs } = await client.logs({ messageIds: [messageId] });
    expect(logs[0]).to.have.property('state', 'ACTIVE');
    release();
    await on.service.ended(messageId);
  });
});
