import { expect } from 'chai';
import { HTTP_TIMEOUTS } from '../../../src/adapters/inbound/http/server/http-timeouts.ts';
import { EventSocket } from '../../support/event-socket.ts';
import { EventStream, type StreamedEvent } from '../../support/event-stream.ts';
import { eventually } from '../../support/eventually.ts';
import { rejection } from '../../support/rejection.ts';
import { HttpService, TOKEN } from './support/http-service.ts';

const AUTHORIZED = { Authorization: `Bearer ${TOKEN}` };

/** What happened to a job of a queue. */
function brief({ event, data: { queue, jobId } }: StreamedEvent): string {
  return [event, queue, jobId].filter(Boolean).join(' ');
}

describe('Events of all queues', () => {
  let service: HttpService;
  const opened: { close: () => void }[] = [];

  beforeEach(async () => {
    const timeouts = { ...HTTP_TIMEOUTS, reader: 200 };
    service = await new HttpService({ timeouts }).start();
  });

  afterEach(async () => {
    for (const each of opened.splice(0)) each.close();
    await service.stop();
  });

  const follow = async (query = '', headers: object = AUTHORIZED): Promise<EventStream> => {
    const stream = await EventStream.open(`${service.url}/events${query}`, { ...headers });
    opened.push(stream);
    return stream;
  };

  const followBySocket = async (query = '', headers = AUTHORIZED): Promise<EventSocket> => {
    const socket = await EventSocket.open(`${service.url}/events${query}`, { headers });
    opened.push({ close: () => socket.socket.terminate() });
    return socket;
  };

  const add = async (queue: string, count = 1, name = 'work'): Promise<void> => {
    const body = Array.from({ length: count }, () => ({ name, data: null }));
    await service.request('POST', `/queues/${queue}/jobs`, { body });
  };

  const issue = async (grant: object): Promise<string> => {
    const { text } = await service.request('POST', '/tickets', { body: grant });
    return (JSON.parse(text) as { ticket: string }).ticket;
  };

  // holds: all-events.follow, all-events.queues
  it('are Server-Sent Events, of queues that come later too', async () => {
    await add('mail');
    const stream = await follow();
    expect(stream.response.headers.get('content-type')).to.equal('text/event-stream');
    await add('news');
    await add('mail');
    await service.claim('news');
    const events = await stream.take(5);
    expect(events.map(brief)).to.deep.equal([
      'added news 1',
      'waiting news 1',
      'added mail 2',
      'waiting mail 2',
      'active news 1',
    ]);
    const timestamp = service.clock.now();
    const data = { queue: 'news', timestamp, jobId: '1', name: 'work' };
    expect(events[0]?.data).to.deep.equal(data);
    expect(new Set(events.map(({ id }) => id))).to.have.property('size', 5);
  });

  // holds: rights.lists
  it('are those of queues that the token may use, including with a ticket and in digests', async () => {
    const { text } = await service.request('POST', '/tokens', {
      body: { name: 'mail', rights: ['read'], queues: ['mail-*', '!mail-vip'] },
    });
    const { token } = JSON.parse(text) as { token: string };
    const issued = await service.request('POST', '/tickets', {
      token,
      body: { queues: ['mail-*'] },
    });
    const { ticket } = JSON.parse(issued.text) as { ticket: string };
    const own = { Authorization: `Bearer ${token}` };
    const streams = [
      await follow('', own),
      await follow('?queues=*', own),
      await follow(`?ticket=${ticket}`, {}),
    ];
    const digests = await follow('?digest=250', own);
    for (const queue of ['other', 'mail-vip', 'mail-a']) await add(queue);
    for (const stream of streams) {
      expect((await stream.take(2)).map(brief)).to.deep.equal([
        'added mail-a 1',
        'waiting mail-a 1',
      ]);
    }
    await service.clock.advance(250);
    expect((await digests.next())?.data.queue).to.equal('mail-a');
  });

  // holds: all-events.queues, all-events.selection
  it('are those that were requested', async () => {
    const some = await follow('?queues=mail-*,%20news&events=added');
    for (const queue of ['mail', 'mail-1', 'news', 'newspaper', 'mail-2']) await add(queue);
    expect((await some.take(3)).map(brief)).to.deep.equal([
      'added mail-1 1',
      'added news 1',
      'added mail-2 1',
    ]);
    expect((await service.request('DELETE', '/queues/news?confirm=news')).status).to.equal(200);
    await add('news');
    await add('mail-3');
    expect((await some.take(2)).map(brief)).to.deep.equal(['added news 1', 'added mail-3 1']);
  });

  // holds: all-events.resume
  it('are resumed behind the last one that the client knows', async () => {
    const stream = await follow();
    for (const queue of ['mail', 'news']) await add(queue);
    const events = await stream.take(4);
    stream.close();
    await add('mail');
    const id = events[1]!.id;
    expect(id).to.match(/^[A-Za-z0-9_-]+$/);
    for (const resumed of [
      await follow('', { ...AUTHORIZED, 'Last-Event-ID': id }),
      await follow(`?lastEventId=${id}`),
    ]) {
      const next = await resumed.take(4);
      expect(next.slice(0, 2)).to.deep.equal(events.slice(2));
      expect(next.map(brief).slice(2)).to.deep.equal(['added mail 2', 'waiting mail 2']);
    }
  });

  // holds: all-events.resume
  it('are resumed at the position of a stream that had no event yet', async () => {
    const idle = await follow('?queues=none-*');
    await add('mail');
    await service.clock.advance(15_000);
    await idle.comment();
    idle.close();
    const resumed = await follow(`?lastEventId=${idle.lastEventId}`);
    await add('news');
    expect(brief((await resumed.take(1))[0]!)).to.equal('added news 1');
  });

  // holds: all-events.cursor
  it('have ids whose length does not depend on the number of queues', async () => {
    const stream = await follow('?events=added');
    for (let queue = 100; queue < 200; queue += 1) await add(`mail-${queue}`);
    const events = await stream.take(100);
    expect(Math.max(...events.map(({ id }) => id.length))).to.be.below(60);
  });

  // holds: all-events.gap
  it('contain a gap for a queue that has lost some of its events', async () => {
    const stream = await follow();
    for (const queue of ['mail', 'news']) await add(queue);
    const last = (await stream.take(4)).at(-1)!;
    stream.close();
    for (let times = 0; times < 2; times += 1) await add('mail', 3000);
    await add('news');
    await add('late');
    const resumed = await follow(`?events=added&lastEventId=${last.id}`);
    const [gap, next] = await resumed.take(2);
    expect(gap).to.deep.include({ event: 'gap' });
    expect(gap?.data).to.deep.include({ queue: 'mail', from: last.id });
    expect(gap?.data).to.have.all.keys('queue', 'timestamp', 'from', 'to');
    expect(next?.data.queue).to.equal('mail');
    const rest = await resumed.take(6000 - Number(next?.data.jobId) + 3);
    expect(rest.slice(-2).map(brief)).to.deep.equal(['added news 2', 'added late 1']);
    const behind = await follow(`?events=added&lastEventId=${gap!.id}`);
    expect(await behind.next()).to.deep.equal(next);
    const others = await follow(`?queues=news,late&events=added&lastEventId=${last.id}`);
    expect((await others.take(2)).map(brief)).to.deep.equal(['added news 2', 'added late 1']);
  }).timeout(30_000);

  // holds: all-events.clock
  it('contain a gap for every queue after a position in the future', async () => {
    await add('mail');
    const id = Buffer.from(JSON.stringify(['9999999999999-0', 'mail'])).toString('base64url');
    const { event, data } = (await (await follow(`?lastEventId=${id}`)).next())!;
    expect([event, data.queue, data.to]).to.deep.equal(['gap', 'mail', id]);
  });

  // holds: all-events.follow, all-events.resume
  it('are messages over a WebSocket', async () => {
    const socket = await followBySocket('?queues=mail*&events=added,waiting');
    await add('news');
    await add('mail');
    const events = await socket.take(2);
    expect(events.map(brief)).to.deep.equal(['added mail 1', 'waiting mail 1']);
    expect(Object.keys(events[0]!)).to.deep.equal(['id', 'event', 'data']);
    const resumed = await followBySocket(`?lastEventId=${events[0]!.id}`);
    expect(await resumed.next()).to.deep.equal(events[1]);
  });

  // holds: all-events.slow-reader
  it('end with a gap for a client that does not take them', async () => {
    const socket = await followBySocket('?queues=mail,news');
    socket.socket.pause();
    while (service.clock.sleepers > 0) {
      for (const queue of ['mail', 'other']) await add(queue, 2000, 'x'.repeat(1000));
    }
    socket.socket.resume();
    expect(await socket.closed).to.equal(1013);
    let lastId = '';
    let event = await socket.next();
    for (; event.event !== 'gap'; event = await socket.next()) lastId = event.id;
    expect(event).to.deep.include({ id: lastId });
    expect(event.data).to.deep.include({ queue: 'mail', from: lastId });
    const resumed = await followBySocket(`?queues=mail&lastEventId=${lastId}`);
    expect((await resumed.next()).event).to.be.oneOf(['added', 'waiting', 'gap']);
  }).timeout(30_000);

  // holds: events.comment, events.shutdown
  it('have a comment every 15 s, and end with the time to come back', async () => {
    const stream = await follow();
    const comment = stream.comment();
    await service.clock.advance(15_000);
    await comment;
    const draining = service.server.drain(new AbortController().signal);
    expect(await stream.next()).to.equal(undefined);
    expect(stream.retry).to.equal(1000);
    await draining;
  });

  // holds: events.left
  it('have no subscriber once the client has left', async () => {
    const { sleepers } = service.clock;
    const stream = await follow();
    stream.close();
    await eventually('nobody follows', () => Promise.resolve(service.clock.sleepers === sleepers));
    expect(await service.request('HEAD', '/events')).to.include({ status: 200 });
    await eventually('nobody follows', () => Promise.resolve(service.clock.sleepers === sleepers));
  });

  // holds: all-events.tickets
  it('are those of the ticket', async () => {
    const grant = { queues: ['mail-*', 'news'], events: ['added'] };
    const all = await follow(`?ticket=${await issue(grant)}`, {});
    const some = await follow(`?ticket=${await issue(grant)}&queues=mail-1*,news`, {});
    const socket = await followBySocket(`?ticket=${await issue(grant)}`, { Authorization: '' });
    for (const queue of ['other', 'mail-2', 'mail-1']) await add(queue);
    const expected = ['added mail-2 1', 'added mail-1 1'];
    expect((await all.take(2)).map(brief)).to.deep.equal(expected);
    expect((await some.take(1)).map(brief)).to.deep.equal(['added mail-1 1']);
    expect((await socket.take(2)).map(brief)).to.deep.equal(expected);
  });

  for (const [query, refusal] of [
    ['queues=mail', '403 The ticket is not for these queues'],
    ['queues=mail-1,other', '403 The ticket is not for these queues'],
    ['queues=*', '403 The ticket is not for these queues'],
    ['queues=mail*', '403 The ticket is not for these queues'],
    ['events=failed', '403 The ticket is not for these events'],
  ] as const) {
    // holds: all-events.tickets
    it(`are refused to a ticket for others: ${query}`, async () => {
      const ticket = await issue({ queues: ['mail-*'], events: ['added'] });
      const { message } = await rejection(follow(`?ticket=${ticket}&${query}`, {}));
      expect(message).to.equal(refusal);
    });
  }

  for (const [query, mistake] of [
    ['queues=', 'queues must be a list'],
    ['queues=mail,,news', 'queues must be a list'],
    ['queues=a&queues=b', 'queues must be given once'],
    ['events=ended', 'events must be a list of '],
    ['job=1', 'job is not a known query parameter'],
    ['lastEventId=last', 'lastEventId must be the id of an event'],
    ['lastEventId=1767225600000-0', 'lastEventId must be the id of an event'],
    ['lastEventId=WyJ4IiwibWFpbCJd', 'lastEventId must be the id of an event'],
  ] as const) {
    // holds: all-events.mistakes
    it(`are refused for ${query}`, async () => {
      const { status, text } = await service.request('GET', `/events?${query}`);
      expect([status, text.startsWith(mistake)], text).to.deep.equal([400, true]);
      const { message } = await rejection(followBySocket(`?${query}`));
      expect(message).to.equal(`400 ${text}`);
    });
  }

  // holds: all-events.mistakes
  it('are refused without a token and for a wrong Last-Event-ID', async () => {
    expect(await service.request('GET', '/events', { token: 'no' })).to.include({ status: 401 });
    const headers = { 'Last-Event-ID': 'last' };
    expect(await service.request('GET', '/events', { headers })).to.include({
      status: 400,
      text: 'Last-Event-ID must be the id of an event as it was told here',
    });
    const oldest = Buffer.from(JSON.stringify(['0-0', ''])).toString('base64url');
    await add('mail');
    expect(brief((await (await follow(`?lastEventId=${oldest}`)).next())!)).to.equal(
      'added mail 1',
    );
  });
});
