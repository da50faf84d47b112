import { expect } from 'chai';
import { HttpService } from './support/http-service.ts';

const TEXT = 'a\0b';
const JOB = { name: 'work', data: null };
const ENDPOINT = { url: 'http://127.0.0.1:9/', method: 'post' };

/** Requests with a NUL where a client names something or says why. */
const REFUSED: readonly (readonly [request: string, body: unknown, error: string])[] = [
  ['POST /queues/mail/jobs', [JOB, { ...JOB, name: TEXT }], '[1].name must not contain NUL'],
  ['POST /queues/mail/jobs', [{ ...JOB, opts: { jobId: TEXT } }], '[0].opts.jobId must be'],
  ['POST /queues/mail/jobs', [{ ...JOB, opts: { group: { id: TEXT } } }], '[0].opts.group.id must'],
  [
    'POST /queues/mail/jobs',
    [{ ...JOB, opts: { deduplication: { id: TEXT } } }],
    '[0].opts.deduplication.id must be',
  ],
  [
    'POST /queues/mail/jobs',
    [{ ...JOB, opts: { callback: { queue: 'other', name: TEXT } } }],
    '[0].opts.callback.name must not contain NUL',
  ],
  [
    'POST /flows',
    { ...JOB, queue: 'mail', children: [{ ...JOB, queue: 'mail', name: TEXT }] },
    'children[0].name must not contain NUL',
  ],
  [
    'PUT /queues/mail/schedulers/nightly',
    { repeat: { every: 1000 }, job: { ...JOB, name: TEXT } },
    'job.name must not contain NUL',
  ],
  ['PUT /queues/mail/schedulers/a%00b', { repeat: { every: 1000 }, job: JOB }, 'The id of the'],
  ['PUT /queues/mail/groups/a%00b', { concurrency: 1 }, 'must be a string of 1 to 128 characters'],
  ['PUT /queues/mail/policy', { labels: { team: TEXT } }, 'labels.team must not contain NUL'],
  ['PUT /queues/mail/policy', { labels: { [TEXT]: 'a' } }, 'must not contain NUL'],
  [
    'POST /workers',
    { queue: 'mail', endpoint: { ...ENDPOINT, url: `${ENDPOINT.url}\0` } },
    'endpoint.url',
  ],
  [
    'POST /workers',
    { queue: 'mail', endpoint: { ...ENDPOINT, url: `${ENDPOINT.url}\ud800` } },
    'endpoint.url must be a valid',
  ],
  ['POST /workers/mail/disable', { reason: TEXT }, 'reason must not contain NUL'],
  ['POST /queues/mail/jobs/1/cancel', { reason: TEXT }, 'reason must not contain NUL'],
  ['POST /queues/mail/jobs/1/fail', { reason: TEXT }, 'reason must not contain NUL'],
];

describe('A NUL', () => {
  let service: HttpService;

  before(async () => {
    service = await new HttpService({ keptIn: 'disk' }).start();
    await service.request('POST', '/workers', { body: { queue: 'mail', endpoint: ENDPOINT } });
    await service.request('POST', '/queues/mail/jobs', { body: [JOB] });
  });

  after(() => service.stop());

  const ask = (request: string, body: unknown, token?: string) => {
    const [method = '', path = ''] = request.split(' ');
    return service.request(method, path, { body, ...(token !== undefined && { token }) });
  };

  /** The token of the only job. */
  const claimed = async (): Promise<string> => {
    const { text } = await ask('POST /queues/mail/jobs/claim', undefined);
    const [{ token }] = JSON.parse(text) as [{ token: string }];
    return token;
  };

  for (const [request, body, error] of REFUSED) {
    // holds: text.no-nul
    it(`is refused in ${request} ${JSON.stringify(body)}`, async () => {
      const token = request.endsWith('/fail') ? await claimed() : undefined;
      const answer = await ask(request, body, token);
      expect(answer.text).to.contain(error);
      expect(answer.status).to.equal(400);
    });
  }

  // holds: text.no-nul
  it('is refused in the jobs that a language model adds', async () => {
    const call = { name: 'add_job', arguments: { queue: 'mail', ...JOB, name: TEXT } };
    const { text } = await service.request('POST', '/mcp', {
      headers: { Accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
    });
    expect(text).to.contain('name must not contain NUL');
  });

  // holds: text.replaced
  it('is replaced in progress and log lines, and kept in data and return values', async () => {
    const data = { [TEXT]: [TEXT, '\ud800'] };
    await ask('POST /queues/data/jobs', [{ ...JOB, data }]);
    const { text } = await ask('POST /queues/data/jobs/claim', undefined);
    const [{ token, job }] = JSON.parse(text) as [{ token: string; job: { data: unknown } }];
    expect(job.data).to.deep.equal(data);
    const path = '/queues/data/jobs/1';
    for (const [report, body] of [
      ['progress', data],
      ['logs', JSON.stringify(TEXT)],
      ['logs', TEXT],
      ['complete', data],
    ] as const) {
      expect(await ask(`POST ${path}/${report}`, body, token)).to.include({ status: 200 });
    }
    const read = async (of: string): Promise<unknown> =>
      JSON.parse((await service.request('GET', `${path}${of}`)).text);
    expect(await read('')).to.deep.include({
      data,
      returnvalue: data,
      progress: { 'a\ufffdb': ['a\ufffdb', '\ud800'] },
    });
    expect(await read('/logs')).to.deep.include({ logs: ['a\ufffdb', 'a\ufffdb'] });
  });
});
