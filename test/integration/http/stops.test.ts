import { expect } from 'chai';
import { HttpService, TOKEN } from './support/http-service.ts';
import { restrictedTokens } from './support/restricted-tokens.ts';

interface Entry {
  readonly action: string;
  readonly detail: object;
}

const WORKER = {
  queue: 'mail',
  endpoint: { url: 'https://user.example.com:8443/jobs?key=secret', method: 'post' },
};
const HOOK = { url: 'https://hooks.example.com/a/b?key=secret', events: ['worker.open'] };

describe('Who stopped something, and why', () => {
  let service: HttpService;

  beforeEach(async () => {
    const knownTokens = restrictedTokens({ ada: { rights: ['admin'], queues: null } });
    service = await new HttpService({ knownTokens }).start();
  });

  afterEach(() => service.stop());

  const send = (method: string, path: string, body?: unknown, token = 'ada') =>
    service.request(method, path, { ...(body !== undefined && { body }), token });

  async function call<Answer = Readonly<Record<string, unknown>>>(
    method: string,
    path: string,
    body?: unknown,
    token?: string,
  ): Promise<Answer> {
    const { status, text } = await send(method, path, body, token);
    expect(status, text).to.equal(200);
    return (text === 'OK' ? { text } : JSON.parse(text)) as Answer;
  }

  const details = async (): Promise<readonly (readonly [string, object])[]> => {
    const { entries } = await call<{ entries: Entry[] }>('GET', '/audit', undefined, TOKEN);
    return entries.map(({ action, detail }) => [action, detail] as const).toReversed();
  };

  const stop = (reason: string | null = 'Deploy of billing') => ({
    by: 'ada',
    at: service.clock.now(),
    reason,
  });

  const inWords = (reason = 'Deploy of billing'): string =>
    `by ada since ${new Date(service.clock.now()).toISOString().slice(0, 19)}Z: ${reason}`;

  const add = async (opts: object = {}): Promise<string> => {
    const jobs = [{ name: 'send', data: null, opts }];
    const [job] = await call<{ id: string }[]>('POST', '/queues/mail/jobs', jobs);
    return job!.id;
  };

  // holds: stops.shown, stops.audit
  it('is shown of a paused queue, wherever somebody asks', async () => {
    const id = await add();
    await call('POST', '/queues/mail/pause', { reason: ' Deploy of billing ' });
    const blocked = {
      reason: 'paused',
      detail: `The queue is paused ${inWords()}`,
      stop: stop(),
    };
    const shown = { paused: true, pause: stop() };
    expect(await call('GET', '/queues/mail')).to.deep.include({ ...shown, blocked });
    expect(await call('GET', `/queues/mail/jobs/${id}/blocked`)).to.deep.equal({ blocked });
    for (const query of ['', '?view=figures', '?state=paused']) {
      const { queues } = await call<{ queues: object[] }>('GET', `/queues${query}`);
      expect(queues[0], query).to.deep.include(shown);
    }
    expect(await details()).to.deep.equal([
      ['queue.pause', { fields: ['reason'], reason: 'Deploy of billing' }],
    ]);
    await call('POST', '/queues/mail/resume');
    expect(await call('GET', '/queues/mail')).to.include({ paused: false });
    expect(await call('GET', '/queues/mail')).not.to.have.property('pause');
  });

  // holds: stops.unasked
  it('has no reason where none is given, and answers as ever', async () => {
    await add();
    expect(await call('POST', '/queues/mail/pause')).to.deep.equal({ text: 'OK' });
    const { pause, blocked } = await call('GET', '/queues/mail');
    expect(pause).to.deep.equal(stop(null));
    expect(blocked).to.deep.include({ reason: 'paused' });
    expect(await details()).to.deep.equal([['queue.pause', {}]]);
  });

  // holds: stops.shown, stops.audit
  it('is shown of a held queue and of its worker', async () => {
    await call('POST', '/workers', WORKER);
    await add();
    const order = { for: 60_000, reason: 'Deploy of billing' };
    const { until } = await call('POST', '/queues/mail/hold', order);
    expect(await call('GET', '/queues/mail')).to.deep.include({
      heldBy: 'caller',
      hold: stop(),
      blocked: {
        reason: 'held',
        until,
        detail: `The queue is held for another 1 min ${inWords()}`,
        stop: stop(),
      },
    });
    expect(await call('GET', '/workers/mail/health')).to.include({
      state: 'held',
      by: 'ada',
      reason: 'Deploy of billing',
    });
    expect((await details()).at(-1)).to.deep.equal([
      'queue.hold',
      { fields: ['for', 'reason'], reason: 'Deploy of billing', until },
    ]);
  });

  // holds: stops.shown, stops.audit
  it('is shown of a disabled worker', async () => {
    await call('POST', '/workers', WORKER);
    const id = await add();
    await call('POST', '/workers/mail/disable', { reason: 'Moved' });
    const blocked = {
      reason: 'disabled',
      detail: `The worker is disabled ${inWords('Moved')}`,
      stop: stop('Moved'),
    };
    expect(await call('GET', `/queues/mail/jobs/${id}/blocked`)).to.deep.equal({ blocked });
    const { workers } = await call<{ workers: object[] }>('GET', '/workers?view=health');
    expect(workers[0]).to.include({ state: 'disabled', reason: 'Moved', by: 'ada' });
    expect((await details()).at(-1)).to.deep.equal([
      'worker.disable',
      { fields: ['reason'], reason: 'Moved' },
    ]);
    await call('POST', '/workers/mail/enable');
    expect(await call('GET', '/workers/mail/health')).not.to.have.property('by');
  });

  // holds: stops.shown, stops.audit
  it('is shown of a group', async () => {
    await call('POST', '/workers', WORKER);
    const id = await add({ group: { id: 'acme' } });
    const path = '/queues/mail/groups/acme';
    await call('POST', `${path}/hold`, { for: 60_000, reason: 'Too much' });
    expect(await call('GET', path)).to.deep.include({ hold: stop('Too much') });
    const readBlocked = async () =>
      (await call<{ blocked: object }>('GET', `/queues/mail/jobs/${id}/blocked`)).blocked;
    expect(await readBlocked()).to.deep.include({
      detail: `The group acme of the job is held for another 1 min ${inWords('Too much')}`,
      stop: stop('Too much'),
    });
    await call('POST', `${path}/pause`, { reason: 'Unpaid' });
    const { groups } = await call<{ groups: object[] }>('GET', '/queues/mail/groups');
    expect(groups[0]).to.deep.include({ pause: stop('Unpaid'), hold: stop('Too much') });
    expect(await readBlocked()).to.deep.include({
      detail: `The group acme of the job is paused ${inWords('Unpaid')}`,
      stop: stop('Unpaid'),
    });
    expect((await details()).at(-1)).to.deep.equal([
      'group.pause',
      { fields: ['reason'], reason: 'Unpaid', group: 'acme' },
    ]);
  });

  // holds: stops.shown, stops.audit
  it('is shown of a scheduler, paused by a call or stored so', async () => {
    const path = '/queues/mail/schedulers/nightly';
    const body = { repeat: { every: 60_000 }, job: { name: 'report', data: null } };
    await call('PUT', path, { ...body, paused: true });
    expect(await call('GET', path)).to.deep.include({ pause: stop(null) });
    await call('POST', `${path}/pause`, { reason: 'Holidays' });
    expect(await call('GET', path)).to.deep.include({ pause: stop('Holidays') });
    await call('PUT', path, { ...body, paused: true });
    const { schedulers } = await call<{ schedulers: object[] }>('GET', '/schedulers');
    expect(schedulers[0]).to.deep.include({ pause: stop('Holidays') });
    expect((await details())[1]).to.deep.equal([
      'scheduler.pause',
      { fields: ['reason'], reason: 'Holidays' },
    ]);
    await call('POST', `${path}/resume`);
    expect(await call('GET', path)).not.to.have.property('pause');
  });

  // holds: stops.shown, stops.audit, audit.origin
  it('is shown of a hook that is stored as paused', async () => {
    const paused = { ...HOOK, paused: true, reason: 'On holiday' };
    const saved = await call('PUT', '/hooks/on-call', paused);
    expect(saved).to.deep.include({ paused: true, pause: stop('On holiday') });
    await service.clock.advance(1000);
    const again = await call('PUT', '/hooks/on-call?dryRun=true', paused);
    expect(again).to.deep.include({ pause: saved['pause'] });
    expect(await call('GET', '/hooks/on-call')).to.deep.include({ pause: saved['pause'] });
    expect((await details()).at(-1)).to.deep.equal([
      'hook.save',
      {
        fields: Object.keys(paused),
        reason: 'On holiday',
        origin: 'https://hooks.example.com',
        hook: 'on-call',
      },
    ]);
    expect(await call('PUT', '/hooks/on-call', HOOK)).not.to.have.property('pause');
    const refused = await send('PUT', '/hooks/on-call', { ...HOOK, reason: 'No' });
    expect([refused.status, refused.text]).to.deep.equal([
      400,
      'reason must be given with paused only',
    ]);
  });

  // holds: audit.origin
  it('leaves the origin of the URL of a worker in the audit, and no more of it', async () => {
    await call('POST', '/workers', WORKER);
    const { status } = await send('PATCH', '/workers/mail', {
      endpoint: { url: 'http://other.example.com/secret' },
    });
    expect(status).to.equal(200);
    await send('PATCH', '/workers/mail', { opts: { concurrency: 3 } });
    expect(await details()).to.deep.equal([
      [
        'worker.register',
        { fields: ['queue', 'endpoint'], origin: 'https://user.example.com:8443' },
      ],
      ['worker.change', { fields: ['endpoint'], origin: 'http://other.example.com' }],
      ['worker.change', { fields: ['opts'] }],
    ]);
  });

  // holds: stops.reason
  it('takes a reason of at most 200 characters on one line', async () => {
    const must = 'reason must be a string of 1 to 200 characters without control characters';
    const paths = ['/queues/mail', '/queues/mail/groups/acme', '/queues/mail/schedulers/nightly'];
    for (const path of paths) {
      for (const reason of ['', '  ', 'a'.repeat(201), 'a\nb', '\u0007', 17, null, '\ud800']) {
        const { status, text } = await send('POST', `${path}/pause`, { reason });
        expect([status, text], `${path} ${String(reason)}`).to.deep.equal([400, must]);
      }
    }
    const held = await send('POST', '/queues/mail/hold', { for: 1000, reason: 'a\tb' });
    expect([held.status, held.text]).to.deep.equal([400, must]);
    const unknown = await send('POST', '/queues/mail/pause', { because: 'a' });
    expect([unknown.status, unknown.text]).to.deep.equal([400, 'because is not a known field']);
    await call('POST', '/queues/mail/pause', { reason: '🙂'.repeat(200) });
    expect((await details()).at(-1)?.[1]).to.deep.include({ fields: ['reason'] });
  });
});
