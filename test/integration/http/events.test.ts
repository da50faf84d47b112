import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { HTTP_TIMEOUTS } from '../../../src/adapters/inbound/http/server/http-timeouts.ts';
import { EventStream } from '../../support/event-stream.ts';
import { eventually } from '../../support/eventually.ts';
import { HttpService, TOKEN } from './support/http-service.ts';

const AUTHORIZED = { Authorization: `Bearer ${TOKEN}` };

describe('Events of a queue', () => {
  let service: HttpService;
  const streams: EventStream[] = [];

  beforeEach(async () => {
    const timeouts = { ...HTTP_TIMEOUTS, reader: 200 };
    service = await new HttpService({ timeouts }).start();
  });

  afterEach(async () => {
    for (const stream of streams.splice(0)) stream.close();
    await service.stop();
  });

  const follow = async (path: string, headers = {}): Promise<EventStream> => {
    const stream = await EventStream.open(service.url + path, { ...AUTHORIZED, ...headers });
    streams.push(stream);
    return stream;
  };

  const add = async (queue: string, count = 1, data: unknown = null): Promise<void> => {
    const body = Array.from({ length: count }, () => ({ name: 'work', data }));
    await service.request('POST', `/queues/${queue}/jobs`, { body });
  };

  const complete = async (queue: string): Promise<void> => {
    const attempt = await service.claim(queue);
    await service.settle(queue, attempt, { kind: 'completed', returnvalue: { sent: true } });
  };

  // holds: events.follow, events.names, events.values
  it('are Server-Sent Events', async () => {
    const stream = await follow('/queues/mail/events');
    const { headers } = stream.response;
    expect(headers.get('content-type')).to.equal('text/event-stream');
    expect(headers.get('cache-control')).to.equal('no-store');
    expect(headers.get('x-accel-buffering')).to.equal('no');
    await add('mail');
    await complete('mail');
    const events = await stream.take(5);
    expect(events.map(({ event, data: { jobId } }) => [event, jobId])).to.deep.equal([
      ['added', '1'],
      ['waiting', '1'],
      ['active', '1'],
      ['completed', '1'],
      ['drained', undefined],
    ]);
    expect(events[3]?.data).to.deep.equal({
      queue: 'mail',
      timestamp: service.clock.now(),
      jobId: '1',
      returnvalue: { sent: true },
    });
    expect(new Set(events.map(({ id }) => id))).to.have.property('size', 5);
  });

  // holds: events.selection
  it('are those that were requested', async () => {
    const some = await follow('/queues/mail/events?events=completed,%20paused');
    const ofJob = await follow('/queues/mail/events?job=2');
    await add('mail', 3);
    await complete('mail');
    await complete('mail');
    await service.request('POST', '/queues/mail/pause');
    const names = (await some.take(3)).map(({ event, data: { jobId } }) => [event, jobId]);
    expect(names).to.deep.equal([
      ['completed', '1'],
      ['completed', '2'],
      ['paused', undefined],
    ]);
    const events = await ofJob.take(4);
    expect(events.map(({ event }) => event)).to.deep.equal([
      'added',
      'waiting',
      'active',
      'completed',
    ]);
    expect(events.every(({ data: { jobId } }) => jobId === '2')).to.equal(true);
  });

  // holds: events.resume
  it('are resumed behind the last one that the client knows', async () => {
    const stream = await follow('/queues/mail/events');
    await add('mail');
    const [, second] = await stream.take(2);
    stream.close();
    await add('mail');
    for (const resumed of [
      await follow('/queues/mail/events', { 'Last-Event-ID': second!.id }),
      await follow(`/queues/mail/events?lastEventId=${second!.id}`),
    ]) {
      const events = await resumed.take(2);
      expect(events.map(({ event, data: { jobId } }) => [event, jobId])).to.deep.equal([
        ['added', '2'],
        ['waiting', '2'],
      ]);
    }
  });

  // holds: events.resume
  it('are resumed at the position of a stream that had no event yet', async () => {
    await add('mail');
    const idle = await follow('/queues/mail/events?events=removed');
    await add('mail');
    await service.clock.advance(15_000);
    await idle.comment();
    idle.close();
    const resumed = await follow('/queues/mail/events', { 'Last-Event-ID': idle.lastEventId });
    await add('mail');
    expect((await resumed.take(1))[0]?.data.jobId).to.equal('3');
  });

  // holds: events.gap
  it('contain a gap where missed events are no longer kept', async () => {
    const stream = await follow('/queues/mail/events');
    await add('mail');
    const [first] = await stream.take(1);
    stream.close();
    for (let times = 0; times < 2; times += 1) await add('mail', 3000);
    const resumed = await follow('/queues/mail/events?events=added', {
      'Last-Event-ID': first!.id,
    });
    const [gap, next] = await resumed.take(2);
    expect(gap).to.deep.include({ event: 'gap' });
    expect(gap?.data).to.deep.include({ queue: 'mail', from: first!.id });
    expect(gap?.data).to.have.all.keys('queue', 'timestamp', 'from', 'to');
    expect(Number(next?.data.jobId)).to.be.greaterThan(1000);
    const behind = await follow('/queues/mail/events?events=added', { 'Last-Event-ID': gap!.id });
    expect(await behind.next()).to.deep.equal(next);
  });

  // holds: events.comment
  it('have a comment every 15 s', async () => {
    const stream = await follow('/queues/mail/events');
    for (let times = 0; times < 2; times += 1) {
      const comment = stream.comment();
      await service.clock.advance(15_000);
      await comment;
    }
  });

  // holds: events.shutdown
  it('end with the time to come back when the service begins to end', async () => {
    const stream = await follow('/queues/mail/events');
    const draining = service.server.drain(new AbortController().signal);
    expect(await stream.next()).to.equal(undefined);
    expect(stream.retry).to.equal(1000);
    await draining;
  });

  // holds: events.left
  it('have no subscriber once the client has left', async () => {
    const { sleepers } = service.clock;
    const stream = await follow('/queues/mail/events');
    expect(service.clock.sleepers).to.equal(sleepers + 1);
    stream.close();
    await eventually('nobody follows', () => Promise.resolve(service.clock.sleepers === sleepers));
    expect(await service.request('HEAD', '/queues/mail/events')).to.include({ status: 200 });
    await eventually('nobody follows', () => Promise.resolve(service.clock.sleepers === sleepers));
  });

  // holds: events.slow-reader
  it('end with a gap for a client that does not take them', async () => {
    const socket = connect(service.server.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      `GET /queues/mail/events HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`,
    );
    await once(socket, 'readable');
    const closed = new Promise<void>((resolve) => {
      socket.once('close', resolve);
    });
    socket.on('error', () => undefined);
    const body = Array.from({ length: 3000 }, () => ({ name: 'x'.repeat(1000), data: null }));
    while (service.clock.sleepers > 0) {
      await service.request('POST', '/queues/mail/jobs', { body });
    }
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.resume();
    await closed;
    const [gap = ''] = text.split('event: gap\ndata: ').slice(1);
    const { from, to } = JSON.parse(gap.split('\n')[0] ?? '') as { from: string; to: string };
    expect(text).to.include(`id: ${from}\nevent: `);
    expect(text).not.to.include(`id: ${to}\n`);
    const resumed = await follow('/queues/mail/events', { 'Last-Event-ID': from });
    expect((await resumed.take(1))[0]?.event).to.be.oneOf(['added', 'waiting', 'gap']);
  }).timeout(30_000);

  // holds: events.one-reader
  it('reach two hundred clients, and each sees every event once', async () => {
    const many = await Promise.all(
      Array.from({ length: 200 }, () => follow('/queues/mail/events?events=added')),
    );
    const jobs: (string | undefined)[][] = many.map(() => []);
    const take20 = async (index: number): Promise<void> => {
      const events = await many[index]!.take(20);
      jobs[index]!.push(...events.map(({ data: { jobId } }) => jobId));
    };
    await add('mail', 20);
    await take20(0);
    await add('mail', 20);
    const expected = Array.from({ length: 40 }, (_, index) => String(index + 1));
    for (const index of many.keys()) {
      if (index > 0) await take20(index);
      await take20(index);
      expect(jobs[index]).to.deep.equal(expected);
    }
  }).timeout(60_000);

  for (const [query, mistake] of [
    ['events=ended', 'events must be a list of '],
    ['job=1&job=2', 'job must be given once'],
    ['lastEventId=last', 'lastEventId must be the id of an event'],
    ['since=1', 'since is not a known query parameter'],
  ] as const) {
    // holds: events.follow
    it(`are refused for ${query}`, async () => {
      const { status, text } = await service.request('GET', `/queues/mail/events?${query}`);
      expect([status, text.startsWith(mistake)]).to.deep.equal([400, true]);
    });
  }

  // holds: events.follow
  it('are refused without a token, for an invalid queue name and for a wrong Last-Event-ID', async () => {
    expect(await service.request('GET', '/queues/mail/events', { token: 'no' })).to.include({
      status: 401,
    });
    expect(await service.request('GET', '/queues/a/events')).to.include({ status: 400 });
    const headers = { 'Last-Event-ID': 'last' };
    expect(await service.request('GET', '/queues/mail/events', { headers })).to.include({
      status: 400,
      text: 'Last-Event-ID must be the id of an event',
    });
  });
});
