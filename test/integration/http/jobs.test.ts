import { expect } from 'chai';
import { HttpService } from './support/http-service.ts';

describe('Job endpoints', () => {
  let service: HttpService;

  beforeEach(async () => {
    service = await new HttpService().start();
  });

  afterEach(() => service.stop());

  const add = (body: unknown, path = '/queues/mail/jobs') =>
    service.request('POST', path, { body });

  describe('POST /queues/:queue/jobs', () => {
    it('answers the complete jobs with their defaults', async () => {
      const { status, text, headers } = await add([{ name: 'welcome', data: { to: 'a@b' } }]);
      expect(status).to.equal(200);
      expect(headers.get('content-type')).to.equal('application/json; charset=utf-8');
      const [job] = JSON.parse(text) as Record<string, unknown>[];
      expect(job).to.deep.include({ id: '1', name: 'welcome', data: { to: 'a@b' } });
      expect(job).to.deep.include({ opts: { attempts: 0, delay: 0 }, progress: 0, delay: 0 });
      expect(job).to.deep.include({ returnvalue: null, stacktrace: null });
      expect(job).to.deep.include({ queueQualifiedName: 'bull:mail' });
    });

    // holds: routes.alias
    it('has an alias without /jobs', async () => {
      const { status, text } = await add([{ name: 'a', data: 1 }], '/queues/mail');
      expect(status).to.equal(200);
      expect(JSON.parse(text)).to.have.length(1);
    });

    // holds: adding.empty
    it('answers an empty batch with an empty array', async () => {
      const { status, text } = await add([]);
      expect([status, text]).to.deep.equal([200, '[]']);
    });

    for (const data of [null, 0, false, '', [], {}, 'text', { nested: [{ deep: null }] }]) {
      it(`keeps the data ${JSON.stringify(data)} as it is`, async () => {
        const { text } = await add([{ name: 'a', data }]);
        expect((JSON.parse(text) as { data: unknown }[])[0]?.data).to.deep.equal(data);
      });
    }

    it('keeps data that names parts of a prototype, and pollutes no prototype', async () => {
      const data = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';
      const { status, text } = await add(`[{"name":"a","data":${data}}]`);
      expect(status).to.equal(200);
      expect(text).to.contain(`"data":${data}`);
      expect('polluted' in {}).to.equal(false);
    });

    // holds: body.any-content-type
    it('reads JSON regardless of the content type', async () => {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'nonsense']) {
        const { status } = await service.request('POST', '/queues/mail/jobs', {
          body: [{ name: 'a', data: 1 }],
          headers: { 'Content-Type': type },
        });
        expect(status, type).to.equal(200);
      }
    });

    it('accepts every option', async () => {
      const opts = { attempts: 3, delay: 5, priority: 2097152, lifo: true, jobId: 'mine' };
      const backoff = { type: 'exponential', delay: 1000 };
      const { status, text } = await add([{ name: 'a', data: 1, opts: { ...opts, backoff } }]);
      expect(status).to.equal(200);
      expect((JSON.parse(text) as object[])[0]).to.deep.include({ opts: { ...opts, backoff } });
    });

    // holds: fields.priority
    it('answers priority and deduplicationId wherever a job has them, and else neither', async () => {
      const job = async (method: string, path: string, body?: object) => {
        const { status, text } = await service.request(method, `/queues/mail/jobs${path}`, {
          body,
        });
        expect(status, `${method} ${path}: ${text}`).to.equal(200);
        const answer = JSON.parse(text) as object | readonly [object];
        return Array.isArray(answer) ? (answer[0] as object) : answer;
      };
      const opts = { priority: 3, deduplication: { id: 'customer-17' } };
      const both = { priority: 3, deduplicationId: 'customer-17' };
      expect(await job('POST', '', [{ name: 'a', data: 1, opts }])).to.include(both);
      expect(await job('GET', '/1')).to.include(both);
      expect(await job('GET', ''))
        .to.have.nested.property('jobs[0]')
        .that.includes(both);
      expect(await job('PATCH', '/1', { priority: 5 })).to.include({ ...both, priority: 5 });
      const claimed = { ...both, priority: 5 };
      expect(await job('POST', '/claim', {}))
        .to.have.property('job')
        .that.includes(claimed);
      for (const none of [{}, { priority: 0 }]) {
        const plain = await job('POST', '', [{ name: 'a', data: 1, opts: none }]);
        expect(plain).not.to.have.any.keys('priority', 'deduplicationId');
      }
    });

    // holds: job-options.backoff-plain
    it('waits 0 ms for a backoff without a delay, wherever one is given', async () => {
      const opts = { attempts: 2, backoff: { type: 'exponential', jitter: 0.5 } };
      const job = { name: 'a', data: 1 };
      const answer = async (method: string, path: string, body?: object): Promise<string> => {
        const { status, text } = await service.request(method, path, { body });
        expect(status, `${method} ${path}: ${text}`).to.be.below(300);
        return text;
      };
      await answer('PUT', '/queues/plain/policy', { defaults: opts });
      await answer('PUT', '/queues/plain/schedulers/s', {
        repeat: { every: 3_600_000 },
        job: { ...job, opts },
      });
      await answer('POST', '/queues/plain/jobs', [
        { ...job, opts: { ...opts, jobId: 'added', delay: 60_000 } },
        { ...job, opts: { jobId: 'ruled', delay: 60_000 } },
      ]);
      await answer('POST', '/flows', { ...job, queue: 'plain', opts: { ...opts, jobId: 'flow' } });
      for (const path of ['jobs/added', 'jobs/ruled', 'jobs/flow', 'schedulers/s']) {
        const text = await answer('GET', `/queues/plain/${path}`);
        expect(text, path).to.include('"backoff":{"type":"exponential","jitter":0.5,"delay":0}');
      }
    });

    const good = { name: 'a', data: 1 };
    const option = (opts: unknown): unknown => [good, good, good, { ...good, opts }];
    const backoffWords = 'be an object with a type, or a number of milliseconds';
    const mistakes: readonly (readonly [body: unknown, message: string])[] = [
      // holds: add.array
      [{ name: 'a', data: 1 }, 'The request body must be an array of jobs'],
      ['null', 'The request body must be an array of jobs'],
      [[good, 5], '[1] must be an object'],
      [[null], '[0] must be an object'],
      [[[good]], '[0] must be an object'],
      [[{ data: 1 }], '[0].name must be a string'],
      [[{ name: null, data: 1 }], '[0].name must be a string'],
      // holds: job.name
      [[{ name: 5, data: 1 }], '[0].name must be a string'],
      // holds: job.data, body.any-data
      [[{ name: 'a' }], '[0].data must be present (any JSON value)'],
      // holds: body.unknown-job-fields
      [[{ ...good, id: 5 }], '[0].id is not a known field'],
      [[{ ...good, '': 5 }], '[0]."" is not a known field'],
      ['[{"name":"a","data":1,"__proto__":{}}]', '[0].__proto__ is not a known field'],
      ['[{"name":"a","data":1,"constructor":{}}]', '[0].constructor is not a known field'],
      [option(null), '[3].opts must be an object'],
      [option([]), '[3].opts must be an object'],
      [option('x'), '[3].opts must be an object'],
      // holds: body.unknown-job-fields
      [option({ prio: 1 }), '[3].opts.prio is not a known field'],
      [option({ priority: 2097153 }), '[3].opts.priority must be an integer from 0 to 2097152'],
      // holds: body.no-coercion
      [option({ priority: '5' }), '[3].opts.priority must be an integer from 0 to 2097152'],
      [option({ priority: null }), '[3].opts.priority must be an integer from 0 to 2097152'],
      [option({ attempts: -1 }), '[3].opts.attempts must be an integer of at least 0'],
      [option({ delay: 1.5 }), '[3].opts.delay must be an integer of at least 0'],
      [option({ lifo: 1 }), '[3].opts.lifo must be true or false'],
      [option({ backoff: -1 }), '[3].opts.backoff must be an integer of at least 0'],
      [option({ backoff: null }), `[3].opts.backoff must ${backoffWords}`],
      [option({ backoff: 'linear' }), `[3].opts.backoff must ${backoffWords}`],
      [
        option({ backoff: { type: 'fixed', delay: -1 } }),
        '[3].opts.backoff.delay must be an integer of at least 0',
      ],
      [
        option({ backoff: { type: 'cubic', delay: 1 } }),
        '[3].opts.backoff.type must be exponential, linear or fixed',
      ],
      [
        option({ backoff: { type: 'fixed', delay: 1, max: 1 } }),
        '[3].opts.backoff.max is not a known field',
      ],
      [
        option({ backoff: { type: 'fixed', delay: 1, jitter: 1.5 } }),
        '[3].opts.backoff.jitter must be a number from 0 to 1',
      ],
      [
        option({ backoff: { type: 'fixed', delay: 1, maxDelay: -1 } }),
        '[3].opts.backoff.maxDelay must be an integer of at least 0',
      ],
      // holds: job-options.retention
      [
        option({ removeOnComplete: 'x' }),
        '[3].opts.removeOnComplete must be true, false, a number of jobs, or an object of count and age',
      ],
      [
        option({ removeOnFail: { count: 1, age: -1 } }),
        '[3].opts.removeOnFail.age must be an integer of at least 0',
      ],
      [option({ removeOnFail: { limit: 1 } }), '[3].opts.removeOnFail.limit is not a known field'],
      // holds: job-options.keep-logs
      [option({ keepLogs: 0 }), '[3].opts.keepLogs must be an integer of at least 1'],
      // holds: job-options.timeout
      [option({ timeout: 0 }), '[3].opts.timeout must be an integer from 1 to 2147483647'],
    ];
    for (const [body, message] of mistakes) {
      // holds: errors.invalid, answers.problem
      it(`refuses ${JSON.stringify(body).slice(0, 100)}`, async () => {
        const { status, text, headers } = await add(body);
        expect([status, text]).to.deep.equal([400, message]);
        expect(headers.get('content-type')).to.equal('text/plain; charset=utf-8');
      });
    }

    // holds: bounds.all-mistakes
    it('names every mistake of a batch, in the order of the document', async () => {
      const { status, text } = await add(
        '[{"data":12345678901234567,"name":5,"opts":{"lifo":1,"x":1,"backoff":{"delay":-1,"y":2},' +
          '"priority":12345678901234567}},{"name":"a","data":1},5,{}]',
      );
      expect([status, text.split('\n')]).to.deep.equal([
        400,
        [
          '[0].data is an integer that would lose digits, send it as a string',
          '[0].name must be a string',
          '[0].opts.lifo must be true or false',
          '[0].opts.x is not a known field',
          '[0].opts.backoff.delay must be an integer of at least 0',
          '[0].opts.backoff.y is not a known field',
          '[0].opts.backoff.type must be exponential, linear or fixed',
          '[0].opts.priority must be an integer from 0 to 2097152',
          '[2] must be an object',
          '[3].name must be a string',
        ],
      ]);
    });

    // holds: bounds.all-mistakes
    it('names ten mistakes at most, each on one line despite any names', async () => {
      const unknown = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`x\n${n}`, n]));
      const { text } = await add([{ ...good, ...unknown }, 5]);
      const lines = Array.from({ length: 10 }, (_, n) => `[0].x\ufffd${n} is not a known field`);
      expect(text.split('\n')).to.deep.equal(lines);
      expect((await add(Array(5000).fill({ data: 1 }))).text.split('\n')).to.have.length(10);
    });

    for (const jobId of ['123', 'a:b', 'meta', '', '..', 'search', 'a\nb', 'x'.repeat(256)]) {
      // holds: body.job-id, bounds.job-id
      it(`refuses the job id ${JSON.stringify(jobId).slice(0, 20)}`, async () => {
        const { status, text } = await add([{ ...good, opts: { jobId } }]);
        expect(status).to.equal(400);
        expect(text).to.match(/^\[0\]\.opts\.jobId must be a string of 1 to 255 characters/);
      });
    }

    // holds: security.long-texts
    it('cuts the name of an unknown field that is very long', async () => {
      const { status, text } = await add([{ ...good, ['x'.repeat(100_000)]: 1 }]);
      expect(status).to.equal(400);
      expect(text)
        .to.match(/^\[0\]\.x+\.\.\. is not a known field$/)
        .and.have.length.below(300);
    });

    it('adds nothing when one job of the batch is wrong', async () => {
      await add([good, { ...good, opts: { priority: -1 } }]);
      expect((await service.request('GET', '/queues/mail/jobs')).status).to.equal(404);
    });

    for (const name of ['ab', 'x'.repeat(101), 'a:b:c', 'a%00bc', 'a%0Abc', '%7Fabc']) {
      // holds: limits.queue-name, body.queue-name
      it(`refuses the queue name ${name.slice(0, 20)}`, async () => {
        const { status, text } = await add([good], `/queues/${name}/jobs`);
        expect(status).to.equal(400);
        expect(text).to.match(/^queue name must be a string of 3 to 100 characters/);
      });
    }

    it('accepts any other character in a queue name', async () => {
      const { status, text } = await add([good], '/queues/%E2%82%AC%2F%3F%20%25/jobs');
      expect(status).to.equal(200);
      expect((JSON.parse(text) as object[])[0]).to.include({ queueQualifiedName: 'bull:€/? %' });
    });

    it('accepts a batch of 10,000 jobs, and finds a wrong one among them', async () => {
      const jobs = Array.from({ length: 10_000 }, (_, index) => ({ name: `${index}`, data: 0 }));
      const { status, text } = await add([...jobs.slice(1), { name: 'last' }]);
      expect(status).to.equal(400);
      expect(text).to.equal('[9999].data must be present (any JSON value)');
      expect((await add(jobs)).status).to.equal(200);
    });

    // holds: bounds.jobs-per-add
    it('refuses a batch of more jobs, and adds none of them', async () => {
      const { status, text } = await add(Array.from({ length: 10_001 }, () => good));
      expect([status, text]).to.deep.equal([413, 'A request must add at most 10000 jobs']);
      expect((await service.request('GET', '/queues/mail/jobs')).status).to.equal(404);
    });
  });

  describe('GET /queues/:queue/jobs', () => {
    const list = (query = '') => service.request('GET', `/queues/mail/jobs${query}`);

    // holds: list.not-found, errors.empty-queue, query.nothing
    it('answers 404 with Not found for a queue that holds no job', async () => {
      const { status, text } = await list();
      expect([status, text]).to.deep.equal([404, 'Not found']);
    });

    // holds: list.defaults, limits.page
    it('answers counts of every status and the first ten jobs', async () => {
      await add(Array.from({ length: 12 }, () => ({ name: 'a', data: 1 })));
      await add([{ name: 'later', data: 1, opts: { delay: 5000 } }]);
      const { status, text } = await list();
      expect(status).to.equal(200);
      const page = JSON.parse(text) as { jobs: unknown[] };
      expect(page).to.deep.include({ start: 0, length: 10 });
      expect(page).to.deep.include({
        counts: { active: 0, waiting: 12, prioritized: 0, delayed: 1, completed: 0, failed: 0 },
      });
      expect(page.jobs).to.have.length(10);
    });

    // holds: query.nothing
    it('answers 200 for a page that is merely empty', async () => {
      await add([{ name: 'a', data: 1 }]);
      const { status, text } = await list('?statuses=failed,completed&start=5&length=0');
      expect(status).to.equal(200);
      expect(JSON.parse(text)).to.deep.include({ jobs: [], start: 5, length: 0 });
    });

    // holds: states.filter
    it('filters by status', async () => {
      await add([
        { name: 'a', data: 1 },
        { name: 'later', data: 1, opts: { delay: 5000 } },
      ]);
      for (const [statuses, names] of [
        ['delayed', ['later']],
        ['waiting', ['a']],
        ['waiting%2Cdelayed', ['a', 'later']],
        ['active,all', ['a', 'later']],
        // holds: bounds.blank-status
        ['%20delayed%20,%20waiting', ['a', 'later']],
      ] as const) {
        const { jobs } = JSON.parse((await list(`?statuses=${statuses}`)).text) as {
          jobs: { name: string }[];
        };
        expect(
          jobs.map(({ name }) => name),
          statuses,
        ).to.deep.equal(names);
      }
    });

    const whole = 'must be a whole decimal number, 0 or greater';
    const mistakes: readonly (readonly [query: string, message: RegExp])[] = [
      // holds: query.statuses
      ['?statuses=waiting,foo', /^statuses must be a list of active, .* all, but names "foo"$/],
      ['?statuses=', /^statuses must be a list/],
      ['?statuses=waiting,%20,failed', /^statuses must be a list of .* but names ""$/],
      [`?statuses=${'x'.repeat(300)}`, /^statuses must be a list of .* but names "x{200}\.\.\."$/],
      [`?${'x'.repeat(300)}=1`, /^x{200}\.\.\. is not a known query parameter$/],
      ['?statuses=constructor', /^statuses must be a list/],
      ['?start=-1', new RegExp(`^start ${whole}`)],
      ['?start=', new RegExp(`^start ${whole}`)],
      // holds: query.numbers
      ['?start=1.0', new RegExp(`^start ${whole}`)],
      ['?start=0x10', new RegExp(`^start ${whole}`)],
      ['?start=%D9%A1', new RegExp(`^start ${whole}`)],
      // holds: query.numbers
      ['?length=1e3', new RegExp(`^length ${whole}`)],
      // holds: bounds.page-length
      ['?length=1001', /^length must be an integer from 0 to 1000$/],
      ['?length=99999999999999999999', /^length must be an integer from 0 to 1000$/],
      ['?start=99999999999999999999', /^start must be an integer of at least 0$/],
      ['?length=5&length=6', /^length must be given once$/],
      ['?lenght=5', /^lenght is not a known query parameter: did you mean length\?$/],
      ['?__proto__=5', /^__proto__ is not a known query parameter$/],
      ['?=5', /^An empty name is not a known query parameter$/],
    ];
    for (const [query, message] of mistakes) {
      // holds: list.wrong-query, errors.invalid
      it(`refuses ${query}`, async () => {
        const { status, text } = await list(query);
        expect(status).to.equal(400);
        expect(text).to.match(message);
      });
    }
  });

  // holds: bounds.all-mistakes
  it('names every mistake of a query, in its order', async () => {
    const path = '/queues/mail/jobs?x=1&length=1001&start=-1&x=2&statuses=foo&length=5';
    const { status, text } = await service.request('GET', path);
    expect([status, text.split('\n')]).to.deep.equal([
      400,
      [
        'x is not a known query parameter',
        'length must be given once',
        'start must be a whole decimal number, 0 or greater',
        'statuses must be a list of active, waiting, prioritized, delayed, completed, failed, waiting-children, all, but names "foo"',
      ],
    ]);
    const many = Array.from({ length: 20 }, (_, n) => `x${n}=1`).join('&');
    const { text: first } = await service.request('GET', `/queues/mail/jobs?${many}`);
    expect(first.split('\n')).to.have.length(10);
  });

  describe('GET /queues/:queue/jobs/:jobId', () => {
    const read = (path: string) => service.request('GET', path);

    // holds: read.answer
    it('answers the job', async () => {
      await add([{ name: 'a', data: 1 }]);
      const { status, text } = await read('/queues/mail/jobs/1');
      expect(status).to.equal(200);
      expect(JSON.parse(text)).to.deep.include({ id: '1', name: 'a', data: 1 });
    });

    for (const id of ['7', 'meta', '__proto__', '%00', 'a%2Fb', '%F0%9F%98%80']) {
      // holds: query.unknown-job
      it(`answers 404 for the unknown id ${id}`, async () => {
        const { status, text, headers } = await read(`/queues/mail/jobs/${id}`);
        expect([status, text]).to.deep.equal([404, '{"error":"Job not found"}']);
        expect(headers.get('content-type')).to.equal('application/json; charset=utf-8');
      });
    }

    for (const path of ['/queues/a:b/jobs/1', '/queues/mail/jobs/1?x=1', '/queues/mail/jobs/%zz']) {
      // holds: read.invalid, errors.invalid-read
      it(`answers 400 for ${path}`, async () => {
        const { status, text } = await read(path);
        expect([status, text]).to.deep.equal([400, '{"error":"Invalid request"}']);
      });
    }
  });

  describe('POST /queues/:queue/jobs/:jobId/progress', () => {
    const post = (token: string, body: unknown) =>
      service.request('POST', '/queues/mail/jobs/1/progress', { token, body });

    for (const progress of [42, 0, null, false, 'half', [1], { percent: 50 }]) {
      it(`stores ${JSON.stringify(progress)}`, async () => {
        await add([{ name: 'a', data: 1 }]);
        const { token } = await service.claim('mail');
        const { status, text } = await post(token, JSON.stringify(progress));
        expect([status, text]).to.deep.equal([200, 'OK']);
        const job = JSON.parse(
          (await service.request('GET', '/queues/mail/jobs/1')).text,
        ) as object;
        expect(job).to.deep.include({ progress });
      });
    }

    // holds: bounds.reports
    it('accepts 64 kB of JSON and no byte more, in any spelling', async () => {
      await add([{ name: 'a', data: 1 }]);
      const { token } = await service.claim('mail');
      const most = 65_536 - '""'.length;
      for (const [text, status] of [
        [`"${'x'.repeat(most)}"`, 200],
        [`"${'\\u0078'.repeat(most)}"`, 200],
        [`"${'x'.repeat(most + 1)}"`, 413],
        [`"${'€'.repeat(most / 2)}"`, 413],
        [`"${'x'.repeat(1_000_000)}"`, 413],
      ] as const) {
        const answer = await post(token, text);
        expect(answer.status).to.equal(status);
        if (status === 413) {
          expect(answer.text).to.equal('A progress value must be of at most 65536 bytes');
        }
      }
    });

    it('refuses an API token and any other token', async () => {
      await add([{ name: 'a', data: 1 }]);
      await service.claim('mail');
      for (const token of ['api-token', 'other']) {
        const { status, headers } = await post(token, 1);
        expect(status).to.equal(401);
        expect(headers.get('www-authenticate')).to.equal('Bearer error="invalid_token"');
      }
    });

    // holds: progress.invalid
    it('names what is wrong with the body', async () => {
      expect((await post('t', '')).text).to.equal(
        'The request body is empty, expected any JSON value',
      );
      expect((await post('t', '{"a":1e400}')).text).to.equal('a is a number too large to be kept');
      expect((await post('t', '-1e400')).text).to.equal(
        'The request body is a number too large to be kept',
      );
      expect((await post('t', 'half')).status).to.equal(400);
    });
  });

  describe('job logs', () => {
    const post = (token: string, body: unknown, type = 'application/json') =>
      service.request('POST', '/queues/mail/jobs/1/logs', {
        token,
        body,
        headers: { 'Content-Type': type },
      });
    const read = (query = '') => service.request('GET', `/queues/mail/jobs/1/logs${query}`);

    // holds: body.log-text
    it('accepts a JSON string, and any body that is not JSON as the line itself', async () => {
      await add([{ name: 'a', data: 1 }]);
      const { token } = await service.claim('mail');
      const lines = [
        '"quoted \\u20ac"',
        'plain text',
        '  spaces ',
        '{"broken',
        'Zeile ä €',
        '"a" "b"',
      ];
      for (const line of lines) {
        expect((await post(token, line)).text, line).to.equal('OK');
        expect((await post(token, line, 'text/plain')).text, line).to.equal('OK');
      }
      const { logs } = JSON.parse((await read('?length=50')).text) as { logs: string[] };
      const kept = ['quoted €', ...lines.slice(1)].flatMap((line) => [line, line]);
      expect(logs).to.deep.equal(kept);
    });

    // holds: bounds.reports
    it('accepts lines of 64 kB and no byte more, in any spelling', async () => {
      await add([{ name: 'a', data: 1 }]);
      const { token } = await service.claim('mail');
      for (const [line, status] of [
        ['x'.repeat(65_536), 200],
        [`"${'\\u0078'.repeat(65_536)}"`, 200],
        ['x'.repeat(65_537), 413],
        [`"${'x'.repeat(65_537)}"`, 413],
        ['€'.repeat(21_846), 413],
        ['x'.repeat(1_000_000), 413],
      ] as const) {
        const answer = await post(token, line);
        expect(answer.status).to.equal(status);
        if (status === 413) {
          expect(answer.text).to.equal('A log line must be of at most 65536 bytes');
        }
      }
    });

    // holds: bounds.page-length
    it('are read 1000 lines at a time at most', async () => {
      await add([{ name: 'a', data: 1 }]);
      expect((await read('?length=1000')).status).to.equal(200);
      const { status, text } = await read('?length=1001');
      expect([status, text]).to.deep.equal([400, 'length must be an integer from 0 to 1000']);
    });

    for (const body of ['5', 'null', '{"line":"x"}', '["x"]', 'true']) {
      // holds: logs.append-invalid, body.log-text
      it(`refuses ${body}, which is JSON but not a string`, async () => {
        const { status, text } = await post('t', body);
        expect([status, text]).to.deep.equal([400, 'The log line must be a string']);
      });
    }

    it('refuses an empty body and an unknown token', async () => {
      expect((await post('t', '')).text).to.equal('The request body is empty, expected a log line');
      expect((await post('t', 'line')).status).to.equal(401);
    });

    // holds: query.logs
    it('reads ten lines from the first, or those requested, with the total', async () => {
      await add([{ name: 'a', data: 1 }]);
      const { token } = await service.claim('mail');
      for (let line = 0; line < 12; line += 1) await post(token, `line ${line}`);
      const first = JSON.parse((await read()).text) as { count: number; logs: string[] };
      expect(first.count).to.equal(12);
      expect(first.logs).to.have.length(10);
      const { text } = await read('?start=11&length=5');
      expect(JSON.parse(text)).to.deep.equal({ count: 12, logs: ['line 11'] });
    });

    // holds: logs.read-invalid
    it('refuses a wrong query and an unknown job', async () => {
      expect((await read('?start=x')).status).to.equal(400);
      expect((await read('?statuses=all')).text).to.equal(
        'statuses is not a known query parameter',
      );
      const { status, text } = await read();
      expect([status, text]).to.deep.equal([404, 'Job not found']);
    });
  });
});
