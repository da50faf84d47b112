import { expect } from 'chai';
import { EventSocket } from '../../support/event-socket.ts';
import { EventStream, type StreamedEvent } from '../../support/event-stream.ts';
import { HttpService, TOKEN } from './support/http-service.ts';

const AUTHORIZED = { Authorization: `Bearer ${TOKEN}` };

describe('Digests of events', () => {
  let service: HttpService;
  const opened: { close: () => void }[] = [];

  beforeEach(async () => {
    service = await new HttpService().start();
  });
  afterEach(async () => {
    for (const each of opened.splice(0)) each.close();
    await service.stop();
  });

  const follow = async (path: string, headers: object = AUTHORIZED): Promise<EventStream> => {
    const stream = await EventStream.open(service.url + path, { ...headers });
    opened.push(stream);
    return stream;
  };

  const add = async (queue: string, count = 1): Promise<void> => {
    const body = Array.from({ length: count }, () => ({ name: 'work', data: null }));
    await service.request('POST', `/queues/${queue}/jobs`, { body });
  };

  const happened = ({ event, data }: StreamedEvent): unknown => [
    event,
    data.queue,
    data['happened'] ?? data.jobId,
  ];

  // holds: digests.interval
  it('count the events and report the state of the queue', async () => {
    const all = await follow('/events?digest=1000');
    await add('mail', 3);
    await service.request('POST', '/queues/mail/pause');
    await add('news');
    await service.clock.advance(1000);
    const [mail, news] = await all.take(2);
    expect(mail?.event).to.equal('digest');
    expect(mail?.data).to.deep.equal({
      queue: 'mail',
      timestamp: service.clock.now(),
      happened: { added: 3, waiting: 3, paused: 1 },
      counts: {
        active: 0,
        waiting: 3,
        prioritized: 0,
        delayed: 0,
        completed: 0,
        failed: 0,
        'waiting-children': 0,
      },
      oldestWaiting: 1000,
      blocked: {
        reason: 'paused',
        detail: 'The queue is paused by environment:1 since 2025-01-01T00:00:00Z',
        stop: { by: 'environment:1', at: service.clock.now() - 1000, reason: null },
      },
    });
    expect(happened(news!)).to.deep.equal(['digest', 'news', { added: 1, waiting: 1 }]);
  });

  // holds: digests.interval
  it('come once per interval, and only for queues with events', async () => {
    const mail = await follow('/queues/mail/events?digest=250');
    await add('mail');
    await service.clock.advance(200);
    await add('news');
    await add('mail', 2);
    await service.clock.advance(50);
    expect(happened((await mail.next())!)).to.deep.equal([
      'digest',
      'mail',
      { added: 3, waiting: 3 },
    ]);
    await add('mail');
    await service.clock.advance(249);
    const early = await Promise.race([mail.next(), service.clock.advance(0).then(() => 'none')]);
    expect(early).to.equal('none');
  });

  // holds: digests.interval
  it('are messages of a WebSocket as well', async () => {
    const url = `${service.url}/events?digest=250`;
    const socket = await EventSocket.open(url, { headers: AUTHORIZED });
    opened.push({ close: () => socket.socket.terminate() });
    await add('mail');
    await service.clock.advance(250);
    expect(happened((await socket.take(1))[0]!)).to.deep.equal([
      'digest',
      'mail',
      { added: 1, waiting: 1 },
    ]);
  });

  // holds: digests.whole
  it('count events of every name, except for the holder of a ticket for some', async () => {
    const named = await follow('/events?digest=250&events=completed');
    const { text } = await service.request('POST', '/tickets', { body: { events: ['added'] } });
    const { ticket } = JSON.parse(text) as { ticket: string };
    const granted = await follow(`/events?digest=250&ticket=${ticket}`, {});
    await add('mail');
    await service.clock.advance(250);
    expect(happened((await named.next())!)).to.deep.include({ added: 1, waiting: 1 });
    expect(happened((await granted.next())!)).to.deep.include({ added: 1 });
  });

  // holds: digests.job
  it('come with the events of a job', async () => {
    const stream = await follow('/queues/mail/events?digest=1000&job=2&events=active,added');
    await add('mail', 2);
    await service.claim('mail');
    await service.claim('mail');
    const events = await stream.take(2);
    await service.clock.advance(1000);
    const digest = (await stream.next())!;
    expect([...events, digest].map(happened)).to.deep.equal([
      ['added', 'mail', '2'],
      ['active', 'mail', '2'],
      ['digest', 'mail', { added: 2, waiting: 2, active: 2 }],
    ]);
  });

  // holds: digests.resume
  it('resume after the last one', async () => {
    const first = await follow('/events?digest=250');
    await add('mail');
    await service.clock.advance(250);
    await first.next();
    first.close();
    await add('mail', 2);
    const headers = { ...AUTHORIZED, 'Last-Event-ID': first.lastEventId };
    const second = await follow('/events?digest=250', headers);
    await service.clock.advance(250);
    expect(happened((await second.next())!)).to.deep.include({ added: 2, waiting: 2 });
  });

  it('report a removed queue as empty', async () => {
    await add('mail');
    const stream = await follow('/events?digest=250');
    await service.request('POST', '/queues/mail/pause');
    await service.clock.advance(0);
    await service.request('DELETE', '/queues/mail?confirm=mail');
    await service.clock.advance(250);
    const { data } = (await stream.next())!;
    expect(data).to.deep.include({ oldestWaiting: null, blocked: null });
    expect(data['counts']).to.include({ waiting: 0 });
  });

  // holds: digests.mistakes
  it('have an interval of 250 ms to a minute', async () => {
    for (const path of ['/events', '/queues/mail/events']) {
      for (const interval of ['249', '60001', '1s', '']) {
        const answer = await service.request('GET', `${path}?digest=${interval}`);
        expect(answer.status).to.equal(400);
        expect(answer.text).to.include('digest must be');
      }
    }
  });
});
