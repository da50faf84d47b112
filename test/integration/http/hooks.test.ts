import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import type { HookDelivery } from '../../../src/domain/hooks/delivery.ts';
import { encryptionKey } from '../../support/encryption-key.ts';
import { EndpointServer } from '../../support/endpoint-server.ts';
import { HttpService } from './support/http-service.ts';
import { RawConnection } from './support/raw-connection.ts';
import { restrictedTokens } from './support/restricted-tokens.ts';

const HOOK = { url: 'http://127.0.0.1:1/hooks', events: ['worker.open'] } as const;
const SECRET = /^whsec_[A-Za-z0-9+/]+=*$/;

const DELIVERY: HookDelivery = {
  id: 'one',
  type: 'queue.late',
  createdAt: 1_700_000_000_000,
  state: 'failed',
  attempts: 8,
  lastStatus: 503,
  reason: 'Endpoint answered 503 Service Unavailable',
  nextAt: null,
  durationMs: 12,
};

interface Body {
  readonly [name: string]: unknown;
  readonly secret?: string;
}

describe('Hooks', () => {
  let service: HttpService;
  let receiver: EndpointServer | undefined;

  beforeEach(async () => {
    const tokens = restrictedTokens({
      all: { rights: ['admin'], queues: null },
      reader: { rights: ['read'], queues: null },
      operator: { rights: ['read', 'operate'], queues: null },
      blind: { rights: ['read', 'configure'], queues: null },
      mail: { rights: ['read', 'data', 'operate', 'configure'], queues: ['mail-*', '!mail-vip'] },
    });
    service = await new HttpService({
      knownTokens: tokens,
      encryptionKeys: [encryptionKey('2026a')],
    }).start();
  });
  afterEach(async () => {
    await receiver?.close();
    await service.stop();
  });

  const call = async (
    method: string,
    path: string,
    body?: unknown,
    token = 'all',
  ): Promise<{ readonly status: number; readonly text: string; readonly body: Body }> => {
    const { status, text } = await service.request(method, path, { body, token });
    return { status, text, body: text.startsWith('{') ? (JSON.parse(text) as Body) : {} };
  };
  const put = (id: string, body: object, token?: string) =>
    call('PUT', `/hooks/${id}`, body, token);

  // holds: hooks.stored
  it('are stored as a whole, and answered with a secret only when that is new', async () => {
    const { status, body } = await put('on-call', { ...HOOK, headers: { a: 'secret' } });
    const { secret, ...shown } = body;
    expect(status).to.equal(200);
    expect(secret).to.match(SECRET);
    const expected = {
      ...HOOK,
      id: 'on-call',
      headers: { a: '[redacted]' },
      signing: true,
      for: 60_000,
      repeat: null,
      format: 'standard',
      paused: false,
      createdAt: service.clock.now(),
    };
    expect(shown).to.deep.equal(expected);
    expect((await call('GET', '/hooks/on-call')).body).to.deep.equal(expected);
    const again = await put('on-call', { ...HOOK, paused: true });
    expect(again.body).not.to.have.property('secret');
    expect(again.body).not.to.have.property('headers');
    const list = { total: 1, hooks: [again.body] };
    expect((await call('GET', '/hooks')).body).to.deep.equal(list);
  });

  it('are removed once, with their messages', async () => {
    await put('on-call', HOOK);
    service.deliveries.made.set('on-call', [DELIVERY]);
    expect(await call('DELETE', '/hooks/on-call')).to.include({ status: 200, text: 'OK' });
    expect(service.deliveries.made.has('on-call')).to.equal(false);
    for (const [method, path] of [
      ['GET', '/hooks/on-call'],
      ['DELETE', '/hooks/on-call'],
      ['POST', '/hooks/on-call/test'],
      ['POST', '/hooks/on-call/rotate-secret'],
      ['GET', '/hooks/on-call/deliveries'],
      ['POST', '/hooks/on-call/deliveries/one/resend'],
    ] as const) {
      expect(await call(method, path)).to.include({ status: 404, text: 'Hook not found' });
    }
  });

  // holds: hooks.most
  it('are at most 100', async () => {
    for (let number = 0; number < 100; number += 1) await put(`hook-${number}`, HOOK);
    expect(await put('more', HOOK)).to.include({ status: 409, text: 'There are 100 hooks' });
    expect((await put('hook-7', HOOK)).status).to.equal(200);
    const { body } = await call('GET', '/hooks');
    expect(body['total']).to.equal(100);
  });

  // holds: hooks.stored
  it('have no id that clients would remove from a path', async () => {
    const body = JSON.stringify(HOOK);
    for (const id of ['.', '..']) {
      const connection = new RawConnection(service.server.port);
      const head = `PUT /hooks/${id} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer all\r\n`;
      connection.send(`${head}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      const answer = await connection.untilClosed();
      expect(answer)
        .to.match(/^HTTP\/1\.1 400 /)
        .and.to.contain('other than . and ..');
    }
    expect((await put('a..b', HOOK)).status).to.equal(200);
  });

  // holds: hooks.needs
  it('name what their events need, and refuse what no hook has', async () => {
    const late = await put('late', { ...HOOK, events: ['queue.late'] });
    const text = 'when.oldestWaiting is required for queue.late';
    expect(late).to.include({ status: 400, text });
    expect((await put('none', { ...HOOK, extra: 1 })).status).to.equal(400);
    expect((await put('a%20b', HOOK)).status).to.equal(400);
    expect((await put('x'.repeat(101), HOOK)).status).to.equal(400);
    expect((await call('GET', '/hooks')).body).to.deep.equal({ total: 0, hooks: [] });
  });

  // holds: hooks.rotation
  it('get another secret, beside which the one before signs for a day', async () => {
    receiver = await EndpointServer.start();
    const first = (await put('on-call', { ...HOOK, url: receiver.url })).body.secret!;
    const second = (await call('POST', '/hooks/on-call/rotate-secret')).body.secret!;
    expect(second).to.match(SECRET).and.not.equal(first);
    await call('POST', '/hooks/on-call/test');
    const { text, headers } = await receiver.nextCall();
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signatures } = headers;
    const signed = [second, first].map((secret) =>
      new Webhook(secret).sign(String(id), new Date(1000 * Number(at)), text),
    );
    expect(signatures).to.equal(signed.join(' '));
    await put('open', { ...HOOK, signing: false });
    const refused = { status: 409, text: 'The calls of the hook are not signed' };
    expect(await call('POST', '/hooks/open/rotate-secret')).to.include(refused);
  });

  // holds: hooks.test
  it('are tested by one message, whose answer says how it went', async () => {
    receiver = await EndpointServer.start((_, response) => {
      response.writeHead(503).end('Not yet');
    });
    await put('on-call', {
      ...HOOK,
      url: receiver.url,
      headers: { 'X-Key': 'secret' },
      paused: true,
    });
    const { status, body } = await call('POST', '/hooks/on-call/test');
    expect(status).to.equal(200);
    expect(body).to.deep.include({ outcome: 'failed', status: 503, response: 'Not yet' });
    const received = await receiver.nextCall();
    const { request } = body as unknown as {
      readonly request: { readonly headers: Record<string, string>; readonly body: string };
    };
    expect(request.body).to.equal(received.text);
    expect(JSON.parse(received.text)).to.deep.include({ type: 'hook.test' });
    expect(request.headers['x-key']).to.equal('[redacted]');
    expect(request.headers['webhook-signature']).to.equal('[redacted]');
    expect(received.headers['x-key']).to.equal('secret');
    expect((await call('GET', '/hooks/on-call/deliveries')).body).to.deep.equal({ deliveries: [] });
  });

  // holds: hooks.resend
  it('show their messages, and send one again', async () => {
    await put('on-call', HOOK);
    const made = Array.from({ length: 60 }, (_, i) => ({ ...DELIVERY, id: `delivery-${i}` }));
    service.deliveries.made.set('on-call', made);
    const read = async (query = '') =>
      (await call('GET', `/hooks/on-call/deliveries${query}`)).body['deliveries'] as {
        readonly webhookId: string;
      }[];
    const shown = await read('?length=100');
    const webhookIds = shown.map(({ webhookId }) => webhookId);
    expect(new Set(webhookIds).size).to.equal(60);
    expect(shown).to.deep.equal(made.map((each, i) => ({ ...each, webhookId: webhookIds[i] })));
    expect(await read()).to.deep.equal(shown.slice(0, 50));
    expect((await call('GET', '/hooks/on-call/deliveries?length=101')).status).to.equal(400);
    const resent = await call('POST', '/hooks/on-call/deliveries/delivery-7/resend');
    expect(resent).to.include({ status: 200, text: 'OK' });
    expect(service.deliveries.resent).to.deep.equal(['delivery-7']);
    const none = await call('POST', '/hooks/on-call/deliveries/none/resend');
    expect(none).to.include({ status: 404, text: 'Delivery not found' });
  });

  // holds: hooks.queues
  it('are out of reach for a token that may not use all of their queues', async () => {
    await put('all', HOOK);
    await put('mail', { ...HOOK, queues: ['mail-*'] });
    expect((await put('own', { ...HOOK, queues: ['mail-eu'] }, 'mail')).status).to.equal(200);
    const { body } = await call('GET', '/hooks', undefined, 'mail');
    expect(body).to.deep.include({ total: 1 }).and.nested.property('hooks[0].id', 'own');
    for (const id of ['all', 'mail']) {
      for (const [method, path] of [
        ['GET', ''],
        ['DELETE', ''],
        ['POST', '/test'],
        ['POST', '/rotate-secret'],
        ['GET', '/deliveries'],
        ['POST', '/deliveries/one/resend'],
      ] as const) {
        const refused = { status: 404, text: 'Hook not found' };
        const answer = await call(method, `/hooks/${id}${path}`, undefined, 'mail');
        expect(answer).to.include(refused);
      }
      expect((await put(id, { ...HOOK, queues: ['mail-eu'] }, 'mail')).status).to.equal(403);
      expect((await call('GET', `/hooks/${id}`)).status).to.equal(200);
    }
    for (const queues of [undefined, ['*'], ['mail-*'], ['sms'], ['!mail-vip']]) {
      expect((await put('wide', { ...HOOK, queues }, 'mail')).status).to.equal(403);
    }
    const narrow = { ...HOOK, queues: ['mail-*', '!mail-vip'] };
    expect((await put('narrow', narrow, 'mail')).status).to.equal(200);
  });

  // holds: hooks.rights
  it('of ends of jobs need the right data', async () => {
    for (const events of [['job.failed'], ['worker.open', 'job.*']]) {
      const refused = await put('jobs', { ...HOOK, events }, 'blind');
      expect(refused).to.include({ status: 403, text: 'This token lacks the right data' });
      expect((await put('jobs', { ...HOOK, events, queues: ['mail-eu'] }, 'mail')).status).to.equal(
        200,
      );
    }
    expect((await put('workers', HOOK, 'blind')).status).to.equal(200);
  });

  // holds: hooks.rights
  it('of ends of jobs keep their secret and their receiver from a token without the right data', async () => {
    await put('jobs', { ...HOOK, events: ['job.*'] });
    const refusal = { status: 403, text: 'This token lacks the right data' };
    const rotate = (token: string) => call('POST', '/hooks/jobs/rotate-secret', undefined, token);
    expect(await rotate('blind')).to.include(refusal);
    expect(await put('jobs', HOOK, 'blind')).to.include(refusal);
    expect((await call('GET', '/hooks/jobs')).body).to.deep.include({ events: ['job.*'] });
    expect((await rotate('all')).body.secret).to.match(SECRET);
  });

  // holds: hooks.rights
  it('need read to be read, operate to be tested, and configure to be changed', async () => {
    await put('on-call', HOOK);
    service.deliveries.made.set('on-call', [DELIVERY]);
    const attempts = [
      ['GET', '/hooks', 200, 200],
      ['GET', '/hooks/on-call', 200, 200],
      ['GET', '/hooks/on-call/deliveries', 200, 200],
      ['POST', '/hooks/on-call/test', 403, 200],
      ['POST', '/hooks/on-call/deliveries/one/resend', 403, 200],
      ['POST', '/hooks/on-call/rotate-secret', 403, 403],
      ['PUT', '/hooks/on-call', 403, 403],
      ['DELETE', '/hooks/on-call', 403, 403],
    ] as const;
    for (const [method, path, reader, operator] of attempts) {
      const body = method === 'PUT' ? HOOK : undefined;
      expect((await call(method, path, body, 'reader')).status, path).to.equal(reader);
      expect((await call(method, path, body, 'operator')).status, path).to.equal(operator);
    }
  });

  // holds: hooks.audit
  it('have their changes in the audit, without headers and secrets', async () => {
    const { body } = await put('on-call', { ...HOOK, headers: { a: 'hidden' } });
    await call('POST', '/hooks/on-call/rotate-secret');
    await call('DELETE', '/hooks/on-call');
    const audit = await call('GET', '/audit?action=hook.*');
    const entries = audit.body['entries'] as readonly { action: string; target: object }[];
    expect(entries.map(({ action, target }) => [action, target])).to.deep.equal([
      ['hook.remove', { hook: 'on-call' }],
      ['hook.rotate-secret', { hook: 'on-call' }],
      ['hook.save', { hook: 'on-call' }],
    ]);
    expect(audit.text).not.to.match(/hidden|whsec/);
    expect(JSON.stringify(service.logger.lines)).not.to.match(/hidden|whsec/);
    expect(body.secret).to.match(SECRET);
  });

  // holds: hooks.warning
  it('that cannot deliver are counted in a warning', async () => {
    for (const id of ['one', 'two', 'three', 'four', 'five']) await put(id, HOOK);
    const delivered = { ...DELIVERY, state: 'delivered' } as const;
    const pending = { ...DELIVERY, state: 'pending' } as const;
    service.deliveries.made.set('one', [pending, DELIVERY, delivered]);
    service.deliveries.made.set('two', [delivered, DELIVERY]);
    // The receivers of these hang.
    service.deliveries.made.set('four', new Array<HookDelivery>(8999).fill(pending));
    service.deliveries.made.set('five', new Array<HookDelivery>(9000).fill(pending));
    const { warnings } = (await call('GET', '/system')).body as unknown as {
      readonly warnings: readonly { readonly code: string; readonly text: string }[];
    };
    expect(warnings.find(({ code }) => code === 'hooks')?.text).to.equal(
      '2 hooks cannot deliver messages: the page Hooks of the dashboard shows why',
    );
  });

  // holds: hooks.secrets
  it('have their secrets counted and rewrapped with those of workers', async () => {
    await put('on-call', { ...HOOK, headers: { a: 'hidden' } });
    const { body } = await call('GET', '/system');
    expect(body).to.deep.include({ secrets: { '2026a': 2 } });
    const report = await call('POST', '/secrets/rewrap', {});
    expect(report.body).to.deep.equal({ matched: 0, done: 0, secrets: { '2026a': 2 } });
  });
});
