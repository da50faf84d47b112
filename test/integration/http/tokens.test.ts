import { crc32 } from 'node:zlib';
import { expect } from 'chai';
import { accessTokenText } from '../../../src/adapters/shared/access-token-text.ts';
import type { Right } from '../../../src/domain/access/right.ts';
import { EventSocket } from '../../support/event-socket.ts';
import { EventStream } from '../../support/event-stream.ts';
import { HttpService, type Answer } from './support/http-service.ts';

interface Created {
  readonly id: string;
  readonly token: string;
}

describe('Tokens of the API', () => {
  let service: HttpService;

  beforeEach(async () => {
    service = await new HttpService({ keptIn: 'disk' }).start();
  });
  afterEach(() => service.stop());

  const make = async (token: object, by?: string): Promise<Answer> =>
    service.request('POST', '/tokens', {
      body: { name: 'shop', rights: ['read'], ...token },
      ...(by !== undefined && { token: by }),
    });

  const made = async (token: object = {}): Promise<Created> =>
    JSON.parse((await make(token)).text) as Created;

  const statusWith = async (token: string): Promise<number> =>
    (await service.request('GET', '/whoami', { token })).status;

  // holds: tokens.create
  it('are shown once, and allow what they were created for', async () => {
    const answer = await make({ rights: ['read', 'add'], queues: ['mail-*'], expires: 1e15 });
    expect(answer.status).to.equal(201);
    const { id, token, ...rest } = JSON.parse(answer.text) as Created & object;
    expect(token).to.match(/^jg_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
    expect(token).to.include(`jg_${id}_`);
    expect(rest).to.deep.equal({
      name: 'shop',
      hint: `jg_${id}_ssss…`,
      rights: ['read', 'add'],
      queues: ['mail-*'],
      expires: 1e15,
      limits: null,
      addresses: null,
      createdAt: service.clock.now(),
      createdBy: 'environment:1',
      parent: null,
      lastUsedAt: null,
      lastAddress: null,
      source: 'api',
    });
    const { text } = await service.request('GET', '/whoami', { token });
    expect(JSON.parse(text)).to.deep.equal({
      name: 'shop',
      rights: ['read', 'add'],
      queues: ['mail-*'],
      expires: 1e15,
      via: 'token',
    });
    expect((await service.request('GET', '/queues/news', { token })).status).to.equal(403);
    const stored = await service.request('GET', `/tokens/${id}`);
    expect(stored.text).not.to.include(token.slice(-38));
  });

  // holds: tokens.checksum
  it('end with the CRC-32 of everything before it, in base62', () => {
    const text = accessTokenText('a0b1c2d3', 'x'.repeat(32));
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    const sum = Array.from(text.slice(-6)).reduce(
      (value, digit) => value * 62 + digits.indexOf(digit),
      0,
    );
    expect(sum).to.equal(crc32(`jg_a0b1c2d3_${'x'.repeat(32)}`));
  });

  for (const [mistake, message] of [
    [{ name: '' }, 'name must be'],
    [{ name: 'shop\u0000' }, 'name must be'],
    [{ name: 'shop\u202e' }, 'name must be'],
    [{ rights: [] }, 'rights must be'],
    [{ rights: ['write'] }, 'rights must be'],
    [{ rights: ['data'] }, 'rights must have read'],
    [{ queues: [] }, 'queues must be'],
    [{ queues: ['!'] }, 'queues must be'],
    [{ expires: 1 }, 'expires must be in the future'],
    [{ addresses: [] }, 'addresses must be'],
    [{ addresses: ['10.0.0.0/8', '10.1'] }, 'addresses[1] must be a network'],
    [{ admin: true }, 'admin'],
  ] as const) {
    it(`name the mistake in ${JSON.stringify(mistake)}`, async () => {
      const { status, text } = await make(mistake);
      expect(status).to.equal(400);
      expect(text).to.include(message);
    });
  }

  for (const name of [
    'environment:1',
    ' Environment : 1',
    'file:ops',
    'jwt:https://issuer.example:deploy',
    'environ\u200dment:1',
    '\uff45nvironment:1',
  ]) {
    // holds: tokens.names
    it(`refuse a name that the service gives itself: ${JSON.stringify(name)}`, async () => {
      const { id } = await made();
      const changed = await service.request('PATCH', `/tokens/${id}`, { body: { name } });
      for (const { status, text } of [await make({ name }), changed]) {
        expect(status).to.equal(400);
        expect(text).to.match(/^name must be .*environment:1/);
      }
    });
  }

  it('may have a name that contains such a word', async () => {
    for (const name of ['environment', 'test environment:1', 'files:a']) await made({ name });
  });

  for (const [what, mistake, message] of [
    ['patterns', { queues: new Array(101).fill('mail-*') }, 'queues must have at most 100 items'],
    ['characters of a pattern', { queues: ['m'.repeat(201)] }, 'queues must be'],
    [
      'networks',
      { addresses: new Array(101).fill('10.0.0.0/8') },
      'addresses must have at most 100 items',
    ],
    ['rights', { rights: new Array(11).fill('read') }, 'rights must have at most 10 items'],
  ] as const) {
    // holds: tokens.bounds
    it(`have a bounded number of ${what}`, async () => {
      const { status, text } = await make(mistake);
      expect(status).to.equal(400);
      expect(text).to.include(message);
    });
  }

  // holds: tokens.bounds
  it('are refused unread beyond 128 kB', async () => {
    const queues = Array.from({ length: 300_000 }, (_, place) => `queue-${place}-*`);
    expect((await make({ queues })).status).to.equal(413);
    const { id } = await made();
    const body = { addresses: new Array(20_000).fill('10.0.0.0/8') };
    expect((await service.request('PATCH', `/tokens/${id}`, { body })).status).to.equal(413);
  });

  // holds: tokens.list
  it('are listed up to a thousand at once, however large they are', async () => {
    const queues = new Array(100).fill('m'.repeat(200));
    for (let number = 0; number < 120; number += 1) await made({ queues });
    const all = await service.request('GET', '/tokens?length=1000');
    const { total, tokens } = JSON.parse(all.text) as { total: number; tokens: object[] };
    expect([total, tokens.length]).to.deep.equal([121, 121]);
    const page = await service.request('GET', '/tokens?start=100&length=21');
    expect(JSON.parse(page.text)).to.deep.equal({ total, tokens: tokens.slice(100) });
    const tooMany = await service.request('GET', '/tokens?length=1001');
    expect(tooMany).to.include({ status: 400, text: 'length must be an integer from 0 to 1000' });
  });

  // holds: tokens.bounds
  it('have as many patterns and networks as may be', async () => {
    const { status } = await make({
      queues: new Array(100).fill('m'.repeat(200)),
      addresses: new Array(100).fill('10.0.0.0/8'),
    });
    expect(status).to.equal(201);
  });

  // holds: tokens.cover
  it('grant no more than their creator has', async () => {
    const rights: readonly Right[] = ['read', 'add', 'tokens'];
    const { token } = await made({ rights, queues: ['mail-*', '!mail-vip*'] });
    for (const [wanted, status] of [
      [{ rights: ['add'], queues: ['mail-a'] }, 201],
      [{ rights: ['add'], queues: ['mail-*', '!mail-vip*'] }, 201],
      [{ rights: ['add'], queues: ['mail-a*', '!mail-*'] }, 201],
      [{ rights: ['add'], queues: ['mail-*'] }, 403],
      [{ rights: ['add'], queues: ['mail-vip'] }, 403],
      [{ rights: ['add'], queues: ['mail-v*'] }, 403],
      [{ rights: ['add'], queues: ['!mail-vip*'] }, 403],
      [{ rights: ['add'], queues: ['*'] }, 403],
      [{ rights: ['add'] }, 403],
      [{ rights: ['operate'], queues: ['mail-a'] }, 403],
      [{ rights: ['admin'], queues: ['mail-a'] }, 403],
    ] as const) {
      expect((await make(wanted, token)).status, JSON.stringify(wanted)).to.equal(status);
    }
    const stronger = await made({ rights: ['operate'] });
    for (const [method, path] of [
      ['PATCH', ''],
      ['POST', '/rotate'],
      ['DELETE', ''],
    ] as const) {
      const answer = await service.request(method, `/tokens/${stronger.id}${path}`, {
        token,
        body: {},
      });
      expect(answer.status).to.equal(403);
    }
    expect(await statusWith(stronger.token)).to.equal(200);
  });

  // holds: tokens.children
  it('are no freer than the token that made them, in end, networks and limits', async () => {
    const bounds = {
      expires: service.clock.now() + 5000,
      addresses: ['127.0.0.0/8', '::1', '::ffff:127.0.0.0/104'],
      limits: { requests: { max: 100, duration: 60_000 } },
    };
    const parent = await made({ rights: ['read', 'tokens'], ...bounds });
    const answer = await make({}, parent.token);
    const child = JSON.parse(answer.text) as Created;
    expect(child).to.deep.include({ parent: parent.id, ...bounds });
    for (const freer of [
      { expires: bounds.expires + 1 },
      { addresses: ['0.0.0.0/0'] },
      { addresses: ['127.0.0.1', '10.0.0.0/8'] },
      { limits: { requests: { max: 101, duration: 60_000 } } },
      { limits: { requests: { max: 100, duration: 59_999 } } },
    ]) {
      const { status } = await make(freer, parent.token);
      expect(status, JSON.stringify(freer)).to.equal(403);
      for (const { id } of [parent, child]) {
        const options = { body: freer, token: parent.token };
        const changed = await service.request('PATCH', `/tokens/${id}`, options);
        expect(changed.status, JSON.stringify(freer)).to.equal(403);
      }
    }
    const free = { body: { expires: null }, token: parent.token };
    expect((await service.request('PATCH', `/tokens/${parent.id}`, free)).status).to.equal(403);
    const stranger = await made();
    const stolen = await service.request('POST', `/tokens/${stranger.id}/rotate`, {
      token: parent.token,
    });
    expect(stolen.status).to.equal(403);
  });

  // holds: tokens.children
  it('end with the token that made them, and work from where that works', async () => {
    const parent = await made({ rights: ['read', 'tokens'] });
    const child = JSON.parse(
      (await make({ rights: ['read', 'tokens'] }, parent.token)).text,
    ) as Created;
    const grandchild = JSON.parse((await make({}, child.token)).text) as Created;
    expect(await statusWith(grandchild.token)).to.equal(200);
    const change = (body: object) => service.request('PATCH', `/tokens/${parent.id}`, { body });
    await change({ addresses: ['10.0.0.0/8'] });
    expect(await statusWith(grandchild.token)).to.equal(401);
    await change({ addresses: null });
    const headers = { Authorization: `Bearer ${grandchild.token}` };
    const stream = await EventStream.open(`${service.url}/events`, headers);
    expect((await service.request('DELETE', `/tokens/${parent.id}`)).status).to.equal(200);
    expect(await stream.next()).to.equal(undefined);
    expect(await statusWith(child.token)).to.equal(401);
    expect(await statusWith(grandchild.token)).to.equal(401);
    expect((await service.request('GET', `/tokens/${grandchild.id}`)).status).to.equal(404);
  });

  // holds: tokens.list
  it('are listed with those of the environment and their last use', async () => {
    const { token, id } = await made();
    await made({ name: 'other' });
    service.clock.now();
    await statusWith(token);
    const { text } = await service.request('GET', '/tokens');
    const { total, tokens } = JSON.parse(text) as {
      total: number;
      tokens: readonly Record<string, unknown>[];
    };
    expect(total).to.equal(3);
    expect(tokens.map(({ name, source }) => [name, source])).to.deep.equal([
      ['environment:1', 'environment'],
      ['shop', 'api'],
      ['other', 'api'],
    ]);
    expect(tokens[1]).to.include({ id, lastUsedAt: service.clock.now() });
    expect(tokens[1]?.['lastAddress']).to.be.a('string');
    expect(tokens[0]).to.include({
      lastUsedAt: service.clock.now(),
      lastAddress: tokens[1]?.['lastAddress'],
    });
    expect(tokens[2]).to.include({ lastUsedAt: null, lastAddress: null });
    const page = await service.request('GET', '/tokens?start=1&length=1');
    expect(JSON.parse(page.text)).to.deep.equal({ total: 3, tokens: [tokens[1]] });
  });

  // holds: tokens.list
  it('of the environment cannot be changed', async () => {
    for (const [method, path] of [
      ['PATCH', ''],
      ['POST', '/rotate'],
      ['DELETE', ''],
    ] as const) {
      const answer = await service.request(method, `/tokens/environment:1${path}`, { body: {} });
      expect(answer.status).to.equal(409);
      expect(answer.text).to.include('environment');
    }
  });

  // holds: tokens.change
  it('can change in name, expiry and addresses', async () => {
    const { id, token } = await made({ expires: service.clock.now() + 5000 });
    const change = (body: object) => service.request('PATCH', `/tokens/${id}`, { body });
    const { text } = await change({ name: 'store', expires: null, addresses: ['10.0.0.0/8'] });
    expect(JSON.parse(text)).to.include({ name: 'store', expires: null });
    expect(await statusWith(token)).to.equal(401);
    await change({ addresses: ['127.0.0.0/8', '::1'] });
    expect(await statusWith(token)).to.equal(200);
    expect((await change({ rights: ['admin'] })).status).to.equal(400);
    expect((await change({ queues: ['*'] })).status).to.equal(400);
  });

  // holds: tokens.rotate
  it('have two secrets during the overlap of a rotation', async () => {
    const { id, token } = await made();
    const rotate = async (body?: object): Promise<string> => {
      const { text } = await service.request('POST', `/tokens/${id}/rotate`, { body });
      return (JSON.parse(text) as Created).token;
    };
    const second = await rotate({ overlap: 1000 });
    expect(await statusWith(token)).to.equal(200);
    expect(await statusWith(second)).to.equal(200);
    await service.clock.advance(1000);
    expect(await statusWith(token)).to.equal(401);
    expect(await statusWith(second)).to.equal(200);
    const third = await rotate({ overlap: 0 });
    expect(await statusWith(second)).to.equal(401);
    await service.clock.advance(86_400_000);
    const fourth = await rotate();
    await service.clock.advance(86_399_999);
    expect(await statusWith(third)).to.equal(200);
    await service.clock.advance(1);
    expect([await statusWith(third), await statusWith(fourth)]).to.deep.equal([401, 200]);
  });

  // holds: tokens.rotate
  it('keep their idempotency keys through a rotation', async () => {
    const { id, token } = await made({ rights: ['add'] });
    const add = async (by: string): Promise<unknown> => {
      const request = {
        token: by,
        body: [{ name: 'send', data: null }],
        headers: { 'Idempotency-Key': 'one' },
      };
      const { text } = await service.request('POST', '/queues/mail/jobs', request);
      return (JSON.parse(text) as readonly Created[])[0]?.id;
    };
    const first = await add(token);
    const { text } = await service.request('POST', `/tokens/${id}/rotate`);
    expect(await add((JSON.parse(text) as Created).token)).to.equal(first);
  });

  // holds: tokens.ends
  it('are refused once they expired, without saying so', async () => {
    const { token } = await made({ expires: service.clock.now() + 1000 });
    const unknown = accessTokenText('nonesuch', 'y'.repeat(32));
    expect(await statusWith(token)).to.equal(200);
    await service.clock.advance(1000);
    const answers = await Promise.all(
      [token, unknown].map((each) => service.request('GET', '/whoami', { token: each })),
    );
    expect(answers.map(({ status }) => status)).to.deep.equal([401, 401]);
    expect(answers[0]?.text).to.equal(answers[1]?.text);
  });

  // holds: tokens.revoke
  it('end their streams and tickets when they are revoked', async () => {
    const { id, token } = await made();
    const headers = { Authorization: `Bearer ${token}` };
    const { text } = await service.request('POST', '/tickets', { token, body: {} });
    const { ticket } = JSON.parse(text) as { ticket: string };
    const stream = await EventStream.open(`${service.url}/events`, headers);
    const socket = await EventSocket.open(`${service.url}/events`, { headers });
    const left = new Promise((resolve) => socket.socket.once('close', resolve));
    const { status } = await service.request('DELETE', `/tokens/${id}`);
    expect(status).to.equal(200);
    expect(await stream.next()).to.equal(undefined);
    await left;
    expect(await statusWith(token)).to.equal(401);
    const late = await service.request('GET', `/events?ticket=${ticket}`, {
      headers: { Authorization: '' },
    });
    expect(late.status).to.equal(401);
  });

  // holds: tokens.rotate
  it('end the streams and tickets of a secret that was rotated away, with its overlap', async () => {
    const { id, token } = await made();
    const { text } = await service.request('POST', `/tokens/${id}/rotate`, {
      body: { overlap: 2000 },
    });
    const { token: next } = JSON.parse(text) as { token: string };
    const streamOf = (secret: string): Promise<EventStream> =>
      EventStream.open(`${service.url}/events`, { Authorization: `Bearer ${secret}` });
    const ticketOf = async (secret: string): Promise<string> => {
      const { text } = await service.request('POST', '/tickets', { token: secret, body: {} });
      return (JSON.parse(text) as { ticket: string }).ticket;
    };
    const [ending, lasting] = [await streamOf(token), await streamOf(next)];
    const tickets = [await ticketOf(token), await ticketOf(next)];
    await service.clock.advance(2000);
    // A change makes the replica check at once.
    await service.request('PATCH', `/tokens/${id}`, { body: { name: 'store' } });
    expect(await ending.next()).to.equal(undefined);
    const streams = tickets.map((ticket) =>
      fetch(`${service.url}/events?ticket=${ticket}`).then(async (response) => {
        await response.body?.cancel();
        return response.status;
      }),
    );
    expect(await Promise.all(streams)).to.deep.equal([401, 200]);
    await service.request('POST', '/queues/late/jobs', { body: [{ name: 'work', data: 1 }] });
    expect(await lasting.next()).to.include({ event: 'added' });
    lasting.close();
  });
});
