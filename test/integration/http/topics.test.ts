import { expect } from 'chai';
import { encryptionKey } from '../../support/encryption-key.ts';
import { HttpService } from './support/http-service.ts';
import { restrictedTokens } from './support/restricted-tokens.ts';

interface Published {
  readonly matched: Readonly<Record<string, { readonly queue: string; readonly id: string }>>;
  readonly skipped: readonly string[];
}

describe('Topics over HTTP', () => {
  let service: HttpService;
  let count = 0;
  let topic: string;

  before(async () => {
    const knownTokens = restrictedTokens({
      all: { rights: ['admin'], queues: null },
      adder: { rights: ['add'], queues: null },
      reader: { rights: ['read'], queues: null },
      billing: { rights: ['read', 'add', 'configure'], queues: ['*-billing'] },
      limited: { rights: ['add'], queues: null, limits: { jobs: { max: 3, duration: 60_000 } } },
    });
    service = await new HttpService({
      knownTokens,
      maxJobsPerAdd: 120,
      encryptionKeys: [encryptionKey('2026a')],
    }).start();
  });
  after(() => service.stop());
  beforeEach(() => {
    topic = `orders-${(count += 1)}`;
  });

  const call = async (method: string, path: string, body?: unknown, token = 'all') => {
    const { status, text, headers } = await service.request(method, path, { body, token });
    const isJson = headers.get('content-type')?.includes('json') === true;
    return { status, text, headers, body: isJson ? (JSON.parse(text) as unknown) : undefined };
  };

  const q = (name: string): string => `${topic}-${name}`;

  const subscribe = async (id: string, more: object = {}, token?: string) =>
    call('PUT', `/topics/${topic}/subscriptions/${id}`, { queue: q(id), ...more }, token);

  const publish = (body: unknown, token?: string, query = '') =>
    call('POST', `/topics/${topic}${query}`, body, token);

  const message = (data: unknown = {}, more: object = {}) => ({ name: 'paid', data, ...more });

  const published = async (body: unknown, query = ''): Promise<Published> => {
    const answer = await publish(body, 'all', query);
    expect(answer.status, answer.text).to.equal(200);
    return answer.body as Published;
  };

  const waiting = async (queue: string): Promise<number> => {
    const { status, body } = await call('GET', `/queues/${queue}`);
    if (status === 404) return 0;
    return (body as { counts: { waiting: number } }).counts.waiting;
  };

  const jobsOf = async (queue: string) => {
    const { body } = await call('GET', `/queues/${queue}/jobs`);
    return (body as { jobs: readonly { id: string; name: string; data: unknown; opts: object }[] })
      .jobs;
  };

  // holds: topics.publish
  it('make a job of a message in every queue whose subscription matches', async () => {
    await subscribe('billing', { filter: { data: { country: ['de'] } } });
    await subscribe('audit');
    await subscribe('other', { filter: { name: ['refunded'] } });
    const { matched, skipped } = await published(message({ country: 'de', n: 1 }));
    expect(Object.keys(matched)).to.deep.equal(['audit', 'billing']);
    expect(skipped).to.deep.equal([]);
    for (const id of ['audit', 'billing']) {
      const [job, ...others] = await jobsOf(q(id));
      expect(others).to.deep.equal([]);
      expect(job).to.deep.include({ name: 'paid', data: { country: 'de', n: 1 } });
      expect(matched[id]).to.deep.equal({ queue: q(id), id: job?.id });
    }
    expect(await waiting(q('other'))).to.equal(0);
  });

  // holds: topics.publish
  it('answer an array of messages with an array', async () => {
    await subscribe('audit');
    await subscribe('large', { filter: { data: { total: [{ numeric: ['>', 100] }] } } });
    const { body } = await publish([message({ total: 5 }), message({ total: 500 })]);
    const keys = (body as readonly Published[]).map(({ matched }) => Object.keys(matched));
    expect(keys).to.deep.equal([['audit'], ['audit', 'large']]);
    expect(await publish([])).to.deep.include({ status: 200, body: [] });
    expect(await waiting(q('audit'))).to.equal(2);
  });

  // holds: topics.ends
  it('are empty without a subscription, and end with the last one', async () => {
    const none = { matched: {}, skipped: [] };
    expect(await published(message())).to.deep.equal(none);
    await subscribe('audit');
    const of = `/topics/${topic}`;
    expect((await call('GET', of)).status).to.equal(200);
    expect(await call('DELETE', `${of}/subscriptions/audit`)).to.include({ text: 'OK' });
    expect(await call('DELETE', `${of}/subscriptions/audit`)).to.include({
      status: 404,
      text: 'Subscription not found',
    });
    expect(await call('GET', of)).to.include({ status: 404, text: 'Topic not found' });
    expect(await call('DELETE', of)).to.include({ status: 404, text: 'Topic not found' });
    expect(await published(message())).to.deep.equal(none);
  });

  // holds: topics.subscribe
  it('show their subscriptions as they were stored', async () => {
    const filter = { name: ['paid'], data: { 'a.b': ['x', null, { exists: false }] } };
    const stored = { id: 'billing', queue: q('billing'), filter, opts: { attempts: 3 } };
    const put = await subscribe('billing', { filter, opts: { attempts: 3 } });
    const shown = { ...stored, onFull: 'refuse', paused: false };
    expect(put).to.deep.include({ status: 200, body: shown });
    await subscribe('audit', { onFull: 'skip', paused: true });
    const audit = { id: 'audit', queue: q('audit'), onFull: 'skip', paused: true };
    const { body } = await call('GET', `/topics/${topic}`, undefined, 'reader');
    expect(body).to.deep.equal({ topic, subscriptions: [audit, shown] });
    const one = await call('GET', `/topics/${topic}/subscriptions/billing`);
    expect(one.body).to.deep.equal(shown);
    const { body: all } = await call('GET', '/topics');
    const { topics, total } = all as { topics: object[]; total: number };
    expect(topics).to.deep.include({ topic, subscriptions: 2 });
    expect(total).to.equal(topics.length);
    expect(await call('DELETE', `/topics/${topic}`)).to.include({ text: 'OK' });
    expect((await call('GET', `/topics/${topic}`)).status).to.equal(404);
  });

  // holds: topics.subscribe
  it('store nothing in a dry run of a subscription', async () => {
    const path = `/topics/${topic}/subscriptions/audit?dryRun=true`;
    expect((await call('PUT', path, { queue: q('audit') })).status).to.equal(200);
    expect((await call('GET', `/topics/${topic}`)).status).to.equal(404);
  });

  for (const [body, text] of [
    [{}, 'queue must be a string of 3 to 100 characters'],
    [{ queue: 'a:b:c' }, 'queue must be a string of 3 to 100 characters'],
    [{ queue: 'mail', other: 1 }, 'other is not a known field'],
    [{ queue: 'mail', onFull: 'drop' }, 'onFull must be refuse or skip'],
    [{ queue: 'mail', paused: 'no' }, 'paused must be true or false'],
    [{ queue: 'mail', opts: { attempts: -1 } }, 'opts.attempts must be an integer of at least 0'],
    [{ queue: 'mail', filter: { names: [] } }, 'filter.names is not a known field'],
    [{ queue: 'mail', filter: { name: [] } }, 'filter.name must be an array, not empty'],
    [{ queue: 'mail', filter: { data: [] } }, 'filter.data must be an object'],
    [
      { queue: 'mail', filter: { data: { 'a.b': [{ regex: 'x' }] } } },
      'filter.data.a.b[0].regex is not a known operator',
    ],
    [
      { queue: 'mail', filter: { data: { a: [1], b: [1], c: [1], d: [1], e: [1], f: [1] } } },
      'filter.data must have at most 5 fields',
    ],
    [
      { queue: 'mail', filter: { data: { a: Array.from({ length: 151 }, (_, i) => i) } } },
      'filter must have at most 150 values',
    ],
    [
      { queue: 'mail', filter: { data: { a: ['x'.repeat(4096)] } } },
      'filter must be of at most 4096 bytes of JSON',
    ],
    [
      {
        queue: 'mail',
        endpoint: { url: 'https://a.test/' },
        opts: { endpoint: { url: 'https://a.test/' } },
      },
      'endpoint must be left out beside opts.endpoint',
    ],
    [
      { queue: 'mail', endpoint: { url: 'https://a.test/' } },
      'endpoint.url is not allowed by the policy of mail',
    ],
    [
      { queue: 'mail', opts: { callback: { url: 'https://a.test/' } } },
      'opts.callback.url is not allowed by the policy of mail',
    ],
  ] as const) {
    // holds: topics.filter-mistakes, topics.filter-bounds
    it(`refuse a subscription: ${text}`, async () => {
      const answer = await call('PUT', `/topics/${topic}/subscriptions/one`, body);
      expect(answer.status).to.equal(400);
      expect(answer.text).to.include(text);
    });
  }

  for (const path of ['/topics/a%20b/subscriptions/one', '/topics/a/subscriptions/a%2Fb']) {
    // holds: topics.names
    it(`refuse the name in ${path}`, async () => {
      const { status, text } = await call('PUT', path, { queue: 'mail' });
      expect(status).to.equal(400);
      expect(text).to.include('must be a string of 1 to 100 characters of A-Za-z0-9._-');
    });
  }

  for (const [body, text] of [
    [{ data: 1 }, 'name must be a string'],
    [[message(), { name: 'x' }], '[1].data must be present'],
    [message({}, { opts: { priority: -1 } }), 'opts.priority must be an integer'],
    [[message({}, { opts: { priority: -1 } })], '[0].opts.priority must be an integer'],
    [message({}, { more: 1 }), 'more is not a known field'],
    ['"x"', 'The request body must be an object'],
    [Array.from({ length: 101 }, () => message()), 'must have at most 100 items'],
  ] as const) {
    // holds: topics.messages
    it(`refuse a message: ${text}`, async () => {
      const answer = await publish(body);
      expect(answer.status).to.equal(400);
      expect(answer.text).to.include(text);
    });
  }

  // holds: topics.options
  it('let options of the subscription win over those of the message and of the policy', async () => {
    await call('PUT', `/queues/${q('billing')}/policy`, { defaults: { attempts: 9, ttl: 9000 } });
    await subscribe('billing', { opts: { attempts: 2, priority: 5 } });
    await published(message({}, { opts: { attempts: 7, keepLogs: 3, priority: 1 } }));
    const [job] = await jobsOf(q('billing'));
    expect(job?.opts).to.include({ attempts: 2, priority: 5, keepLogs: 3, ttl: 9000 });
  });

  // holds: topics.as-adds
  it('hold what they add to the policies of the queues', async () => {
    await call('PUT', `/queues/${q('billing')}/policy`, { maxJobSize: 20 });
    await subscribe('billing');
    await subscribe('audit');
    const large = await publish([message(1), message('x'.repeat(30))]);
    expect(large.status).to.equal(413);
    expect(large.text).to.include(
      '[1].data must be of at most 20 bytes (maxJobSize of the policy)',
    );
    const opts = { callback: { url: 'https://a.test/' } };
    const callback = await publish(message(1, { opts }));
    expect(callback.status).to.equal(400);
    expect(callback.text).to.match(/^opts\.callback\.url is not allowed by the policy of /);
    await call('PUT', `/queues/${q('billing')}/policy`, { groups: { ordered: 'skip' } });
    const group = { id: 'a' };
    const ordered = await publish(message(1, { opts: { group, priority: 1 } }));
    expect(ordered).to.include({ status: 400 });
    expect(ordered.text).to.include(
      'opts.priority must not be given for a job of an ordered group',
    );
    expect(await waiting(q('audit'))).to.equal(0);
  });

  // holds: topics.as-adds
  it('leave jobs that are there under a given or a deduplication id', async () => {
    await subscribe('billing', { opts: { jobId: 'one' } });
    await subscribe('audit');
    const opts = { deduplication: { id: 'x' } };
    const first = await published(message(1, { opts }));
    const second = await published(message(2, { opts }));
    expect(second).to.deep.equal(first);
    expect(first.matched['billing']?.id).to.equal('one');
    expect(await waiting(q('audit'))).to.equal(1);
  });

  // holds: topics.rights
  it('need the right add for every queue that matches, or add nothing', async () => {
    await subscribe('billing');
    await subscribe('audit');
    expect(await publish(message(), 'billing')).to.include({ status: 403 });
    expect(await publish(message(), 'reader')).to.include({ status: 403 });
    expect(await waiting(q('billing'))).to.equal(0);
    await subscribe('audit', { paused: true });
    const { status, body } = await publish(message(), 'billing');
    expect(status).to.equal(200);
    expect((body as Published).skipped).to.deep.equal(['audit']);
    expect((await publish(message(), 'adder')).status).to.equal(200);
  });

  // holds: topics.full
  it('skip a queue that holds more than may wait, unless another subscription refuses', async () => {
    await call('POST', `/queues/${q('audit')}/jobs`, [message(), message(), message()]);
    await call('PUT', `/queues/${q('audit')}/policy`, { maxWaiting: 1 });
    await subscribe('audit', { onFull: 'skip' });
    expect(await published(message())).to.deep.equal({ matched: {}, skipped: ['audit'] });
    await call('PUT', `/topics/${topic}/subscriptions/again`, { queue: q('audit') });
    expect(await publish(message())).to.include({ status: 429 });
    expect(await waiting(q('audit'))).to.equal(3);
  });

  // holds: topics.rights
  it('need no right for a queue that is full and skipped', async () => {
    await subscribe('billing');
    await subscribe('audit', { onFull: 'skip' });
    expect((await publish(message(), 'billing')).status).to.equal(403);
    await call('PUT', `/queues/${q('audit')}/policy`, { maxWaiting: 0 });
    await call('PUT', `/queues/${q('audit')}/policy`, { maxWaiting: 1 });
    await call('POST', `/queues/${q('audit')}/jobs`, [message()]);
    const { status, body } = await publish(message(), 'billing');
    expect(status).to.equal(200);
    expect((body as Published).skipped).to.deep.equal(['audit']);
  });

  // holds: topics.rights
  it('need the right configure for the queue of a subscription, old and new', async () => {
    expect((await subscribe('audit', {}, 'billing')).status).to.equal(403);
    expect((await subscribe('billing', {}, 'adder')).status).to.equal(403);
    expect((await subscribe('billing', {}, 'billing')).status).to.equal(200);
    await subscribe('audit');
    const path = `/topics/${topic}/subscriptions/audit`;
    const taken = await call('PUT', path, { queue: q('billing') }, 'billing');
    expect(taken.status).to.equal(403);
    expect((await call('DELETE', path, undefined, 'billing')).status).to.equal(403);
    expect((await call('DELETE', `/topics/${topic}`, undefined, 'billing')).status).to.equal(403);
    expect((await call('GET', path, undefined, 'billing')).status).to.equal(404);
    const seen = (await call('GET', `/topics/${topic}`, undefined, 'billing')).body;
    expect((seen as { subscriptions: object[] }).subscriptions).to.have.length(1);
    const { body } = await call('GET', '/topics', undefined, 'billing');
    expect((body as { topics: object[] }).topics).to.deep.include({ topic, subscriptions: 1 });
  });

  const fill = async (id: string, maxWaiting: number): Promise<void> => {
    await call('PUT', `/queues/${q(id)}/policy`, { maxWaiting });
    await call('POST', `/queues/${q(id)}/jobs`, [message()]);
  };

  // holds: topics.full
  it('add nothing while a queue is full, unless its subscription skips messages then', async () => {
    await subscribe('audit');
    await subscribe('billing');
    await fill('billing', 1);
    const refused = await publish(message());
    expect(refused.status).to.equal(429);
    expect(refused.text).to.include('The queue is full: at most 1 job may wait');
    expect(await waiting(q('audit'))).to.equal(0);
    await subscribe('billing', { onFull: 'skip' });
    const { matched, skipped } = await published(message());
    expect(Object.keys(matched)).to.deep.equal(['audit']);
    expect(skipped).to.deep.equal(['billing']);
    expect(await waiting(q('audit'))).to.equal(1);
    expect(await waiting(q('billing'))).to.equal(1);
  });

  // holds: topics.full
  it('skip the messages of an array that have no room any more', async () => {
    await subscribe('billing', { onFull: 'skip' });
    await fill('billing', 3);
    const { body } = await publish([1, 2, 3].map((n) => message(n)));
    const skipped = (body as readonly Published[]).map((each) => each.skipped);
    expect(skipped).to.deep.equal([[], [], ['billing']]);
    expect(await waiting(q('billing'))).to.equal(3);
  });

  // holds: topics.full
  it('treat a full group as a full queue', async () => {
    await call('PUT', `/queues/${q('billing')}/policy`, { groups: { maxWaiting: 1 } });
    await subscribe('billing');
    await subscribe('audit');
    const grouped = (id: string) => message({}, { opts: { group: { id } } });
    await published(grouped('a'));
    const refused = await publish([grouped('b'), grouped('a')]);
    expect(refused).to.include({ status: 429 });
    expect(refused.text).to.include('[1].opts.group a has 1 waiting job');
    await subscribe('billing', { onFull: 'skip' });
    const { body } = await publish([grouped('b'), grouped('a')]);
    const skipped = (body as readonly Published[]).map((each) => each.skipped);
    expect(skipped).to.deep.equal([[], ['billing']]);
  });

  // holds: topics.dry-run
  it('add nothing in a dry run, answer no ids, and refuse what the call would', async () => {
    await subscribe('audit');
    await subscribe('billing', { onFull: 'skip', paused: true });
    const dry = await published(message(), '?dryRun=true');
    const matched = { audit: { queue: q('audit') } };
    expect(dry).to.deep.equal({ matched, skipped: ['billing'] });
    expect(await waiting(q('audit'))).to.equal(0);
    await fill('audit', 1);
    const full = await publish(message(), 'all', '?dryRun=true');
    expect(full.status).to.equal(429);
    expect((await publish(message(), 'reader', '?dryRun=true')).status).to.equal(403);
    expect((await publish(message(), 'billing', '?dryRun=true')).status).to.equal(403);
  });

  // holds: topics.repeated
  it('answer a repeated key as the first call, whatever changed since', async () => {
    await subscribe('audit');
    const headers = { 'idempotency-key': `key-${topic}` };
    const once = (body: unknown) =>
      service.request('POST', `/topics/${topic}`, { body, headers, token: 'all' });
    const first = await once(message(1));
    expect(first.headers.get('idempotent-replayed')).to.equal(null);
    await subscribe('billing');
    await call('DELETE', `/topics/${topic}/subscriptions/audit`);
    const again = await once(message(1));
    expect(again.text).to.equal(first.text);
    expect(again.headers.get('idempotent-replayed')).to.equal('true');
    expect((await once(message(2))).status).to.equal(422);
    expect(await waiting(q('audit'))).to.equal(1);
    expect(await waiting(q('billing'))).to.equal(0);
  });

  // holds: topics.repeated
  it('remember a call that matched nothing', async () => {
    const headers = { 'idempotency-key': `none-${topic}` };
    const once = () =>
      service.request('POST', `/topics/${topic}`, { body: message(), headers, token: 'all' });
    await once();
    await subscribe('audit');
    expect((await once()).text).to.equal('{"matched":{},"skipped":[]}');
    expect(await waiting(q('audit'))).to.equal(0);
  });

  // holds: topics.size
  it('refuse more jobs than an add may have, and more than 100 queues', async () => {
    const path = (id: string): string => `/topics/${topic}/subscriptions/${id}`;
    for (let at = 0; at < 101; at += 1) {
      await call('PUT', path(`s${at}`), { queue: q(String(at)) });
    }
    const queues = await publish(message());
    expect(queues).to.include({ status: 413, text: 'A request must add to at most 100 queues' });
    await call('DELETE', path('s0'));
    expect((await publish(message())).status).to.equal(200);
    const jobs = await publish([message(), message()]);
    expect(jobs).to.include({ status: 413, text: 'A request must add at most 120 jobs' });
    expect(await waiting(q('1'))).to.equal(1);
  });

  // holds: topics.limits
  it('count the jobs that they add against the limit of the token', async () => {
    await subscribe('audit');
    await subscribe('billing');
    expect((await publish(message(), 'limited')).status).to.equal(200);
    expect((await publish(message(), 'limited', '?dryRun=true')).status).to.equal(200);
    const refused = await publish(message(), 'limited');
    expect(refused.status).to.equal(429);
    expect(await waiting(q('audit'))).to.equal(1);
  });

  // holds: topics.secrets
  it('keep header values encrypted and redacted, and send them as they were', async () => {
    const origins = { origins: ['https://a.test'] };
    const policy = { callbacks: origins, endpoints: origins };
    await call('PUT', `/queues/${q('billing')}/policy`, policy);
    const headers = { Authorization: 'Bearer top-secret' };
    const shown = { Authorization: '[redacted]' };
    const opts = { callback: { url: 'https://a.test/done?x=1', headers } };
    const endpoint = { url: 'https://a.test/hook?x=1', headers };
    const put = await subscribe('billing', { opts, endpoint });
    expect(put.body).to.deep.include({
      opts: { callback: { url: 'https://a.test/done?x=1', headers: shown } },
      endpoint: { url: 'https://a.test/hook?x=1', headers: shown },
    });
    const read = await call('GET', `/topics/${topic}`, undefined, 'reader');
    expect(read.text).not.to.include('top-secret').and.not.to.include('x=1');
    const { matched } = await published(message());
    const { id = '' } = matched['billing'] ?? {};
    const { job } = await service.claim(q('billing'));
    expect(job.id).to.equal(id);
    expect(JSON.stringify(job.opts)).not.to.include('top-secret');
    const { text } = await call('GET', `/queues/${q('billing')}/jobs/${id}`);
    expect(text).to.include('[redacted]').and.not.to.include('top-secret');
    await call('PUT', `/queues/${q('billing')}/policy`, {});
    const refused = await publish(message());
    expect(refused.status).to.equal(400);
    expect(refused.text).to.include('is not allowed by the policy of');
  });

  // holds: topics.audit
  it('leave entries in the audit for subscriptions, and none for messages', async () => {
    await subscribe('audit');
    await published(message());
    await call('DELETE', `/topics/${topic}/subscriptions/audit`);
    const { body } = await call('GET', '/audit?length=3');
    const { entries } = body as { entries: readonly { action: string; detail: object }[] };
    expect(entries.slice(0, 2).map(({ action }) => action)).to.deep.equal([
      'subscription.remove',
      'subscription.save',
    ]);
    expect(entries[0]?.detail).to.include({ topic, subscription: 'audit' });
    const fields = ['queue'];
    expect(entries[1]?.detail).to.deep.equal({ fields, topic, subscription: 'audit' });
  });
});
