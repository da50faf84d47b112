import { expect } from 'chai';
import { EventStream } from '../../support/event-stream.ts';
import { HttpService } from './support/http-service.ts';
import { restrictedTokens } from './support/restricted-tokens.ts';

describe('Tickets', () => {
  let service: HttpService;

  beforeEach(async () => {
    service = await new HttpService().start();
  });

  afterEach(() => service.stop());

  const issue = async (grant?: object): Promise<string> => {
    const { status, text } = await service.request('POST', '/tickets', { body: grant ?? '' });
    expect(status, text).to.equal(200);
    const { ticket, expires } = JSON.parse(text) as { ticket: string; expires: number };
    expect(expires).to.equal(service.clock.now() + 60_000);
    return ticket;
  };

  const follow = async (queue: string, ticket: string, query = ''): Promise<unknown> => {
    const answer = await fetch(`${service.url}/queues/${queue}/events?ticket=${ticket}${query}`);
    const text = answer.status === 200 ? '' : await answer.text();
    await answer.body?.cancel().catch(() => undefined);
    return `${answer.status} ${text}`.trim();
  };

  // holds: tickets.issue
  it('let a client follow events without a token', async () => {
    const url = `${service.url}/queues/mail/events?ticket=${await issue({ queues: ['mail'] })}`;
    const stream = await EventStream.open(url, {});
    await service.request('POST', '/queues/mail/jobs', { body: [{ name: 'work', data: 1 }] });
    expect((await stream.take(1))[0]?.event).to.equal('added');
    stream.close();
  });

  // holds: tickets.once, tickets.time
  it('are valid once, and for 60 s', async () => {
    const ticket = await issue();
    const both = await Promise.all([follow('mail', ticket), follow('mail', ticket)]);
    expect(both).to.have.members(['200', '401 The ticket is not valid']);
    const late = await issue();
    await service.clock.advance(60_000);
    expect(await follow('mail', late)).to.equal('401 The ticket is not valid');
    expect(await follow('mail', '')).to.equal('401 The ticket is not valid');
  });

  // holds: tickets.grant
  it('are valid for their queues and events', async () => {
    const grant = { queues: ['mail-*', 'news'], events: ['added', 'completed'] };
    for (const [queue, query, answer] of [
      ['mail-1', '', '200'],
      ['news', '&events=added', '200'],
      ['newspaper', '', '403 The ticket is not for this queue'],
      ['mail', '', '403 The ticket is not for this queue'],
      ['news', '&events=added,failed', '403 The ticket is not for these events'],
    ] as const) {
      expect(await follow(queue, await issue(grant), query)).to.equal(answer);
    }
  });

  // holds: tickets.grant
  it('are refused for queues of which the token may use none', async () => {
    const queues = ['mail-*', 'news', '!mail-vip*'];
    const limited = await new HttpService({
      knownTokens: restrictedTokens({
        some: { rights: ['read'], queues },
        others: { rights: ['read'], queues: ['!mail-*'] },
      }),
    }).start();
    const issued = async (token: string, ...asked: string[]): Promise<string> => {
      const body = { queues: asked };
      const { status, text } = await limited.request('POST', '/tickets', { token, body });
      return status === 200 ? '200' : `${status} ${text}`;
    };
    const refusal = '403 This token may not use this queue';
    try {
      for (const allowed of ['mail-1', 'mail-*', 'news', '*', 'n*', '*-1', 'm*-*-1']) {
        expect(await issued('some', allowed), allowed).to.equal('200');
      }
      for (const other of ['other', 'other*', 'news-*', 'mail', 'mail-vip', 'mail-vip-*']) {
        expect(await issued('some', other), other).to.equal(refusal);
      }
      expect(await issued('some', 'mail-1', 'other')).to.equal(refusal);
      expect(await issued('others', 'news', 'mail*')).to.equal('200');
      expect(await issued('others', 'mail-*')).to.equal(refusal);
      const { text } = await limited.request('GET', '/audit?outcome=refused');
      expect((JSON.parse(text) as { entries: unknown[] }).entries).not.to.deep.equal([]);
    } finally {
      await limited.stop();
    }
  });

  // holds: tickets.grant
  it('open streams of their own events if the request names none', async () => {
    const ticket = await issue({ events: ['waiting'] });
    const stream = await EventStream.open(`${service.url}/queues/mail/events?ticket=${ticket}`, {});
    const body = [1, 2].map((data) => ({ name: 'work', data }));
    await service.request('POST', '/queues/mail/jobs', { body });
    expect((await stream.take(2)).map(({ event }) => event)).to.deep.equal(['waiting', 'waiting']);
    stream.close();
  });

  // holds: tickets.pages
  it('alone let pages of other sites read', async () => {
    const allowed = async (path: string, headers = {}): Promise<unknown> => {
      const Origin = 'https://elsewhere.example';
      const answer = await service.request('GET', path, { headers: { Origin, ...headers } });
      return [answer.status, answer.headers.get('access-control-allow-origin')];
    };
    const events = '/queues/mail/events';
    expect(await allowed(`${events}?ticket=${await issue()}`)).to.deep.equal([200, '*']);
    expect(await allowed(`${events}?ticket=used`)).to.deep.equal([401, '*']);
    const other = await issue({ queues: ['news'] });
    expect(await allowed(`${events}?ticket=${other}`)).to.deep.equal([403, '*']);
    expect(await allowed(events)).to.deep.equal([200, null]);
    expect(await allowed(events, { Authorization: '' })).to.deep.equal([401, null]);
    expect(await allowed(`/queues?ticket=${await issue()}`)).to.deep.equal([400, null]);
  });

  // holds: tickets.issue
  it('are issued only for tokens, open no other path, and grant nothing unknown', async () => {
    expect(await service.request('POST', '/tickets', { token: 'no' })).to.include({ status: 401 });
    const ticket = await issue();
    const other = await fetch(`${service.url}/queues/mail?ticket=${ticket}`);
    expect(other.status).to.equal(401);
    for (const [body, mistake] of [
      [{ queue: ['mail'] }, 'queue is not a known field'],
      [{ queues: 'mail' }, 'queues must be an array of names of queues'],
      [{ events: ['gap'] }, 'events must be an array of names of events: added, '],
    ] as const) {
      const { status, text } = await service.request('POST', '/tickets', { body });
      expect([status, text.startsWith(mistake)], text).to.deep.equal([400, true]);
    }
  });
});
