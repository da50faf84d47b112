import { expect } from 'chai';
import type { Json } from '../../../src/domain/values/json.ts';
import { HttpService } from './support/http-service.ts';

/** So many values that none of them is created. */
const MANY = Array.from({ length: 60_000 }, () => 0);

const good = { name: 'a', data: MANY };

describe('Batches of very many values', () => {
  let service: HttpService;

  beforeEach(async () => {
    service = await new HttpService().start();
  });

  afterEach(() => service.stop());

  const add = (body: unknown) => service.request('POST', '/queues/mail/jobs', { body });

  it('are added and answered like all others', async () => {
    const data: Json = {
      list: MANY,
      '': 'é\u2028"\\',
      nested: { __proto__: [], at: [null, -1.5] },
    };
    const opts = { jobId: 'mine', backoff: { type: 'fixed', delay: 5 }, priority: 3 };
    const small = { name: 'small ü', data: { n: 1 }, opts: { attempts: 2 } };
    const { status, text } = await add(
      `\ufeff ${JSON.stringify([{ opts, data, name: 'ä' }, small], null, 1)}`,
    );
    expect(status).to.equal(200);
    const [large, second] = JSON.parse(text) as Record<string, Json>[];
    expect(large).to.deep.include({ id: 'mine', name: 'ä', data, progress: 0 });
    expect(large?.['opts']).to.deep.include(opts);
    expect(second).to.deep.include({ name: 'small ü', data: { n: 1 } });
    const read = await service.request('GET', '/queues/mail/jobs/mine');
    const shown = { ...large, state: 'prioritized', suspended: null };
    expect(JSON.parse(read.text)).to.deep.equal(shown);
    expect((await service.claim('mail')).job.name).to.equal('small ü');
    expect((await service.claim('mail')).job.data).to.deep.equal(data);
  });

  const wide = Object.fromEntries(MANY.map((_, index) => [`x${index}`, index]));
  const lines = (names: readonly string[]): string =>
    names.map((name) => `${name} is not a known field`).join('\n');
  const ten = (prefix: string): string[] => Array.from({ length: 10 }, (_, n) => `${prefix}x${n}`);
  for (const [title, body, message] of [
    ['that are no array', { jobs: MANY }, 'The request body must be an array of jobs'],
    ['of arrays', [MANY], '[0] must be an object'],
    ['of scalars', [5, good], '[0] must be an object'],
    ['without a name', [{ data: MANY }], '[0].name must be a string'],
    ['with a list for a name', [good, { name: MANY, data: 1 }], '[1].name must be a string'],
    ['with a list for options', [{ ...good, opts: MANY }], '[0].opts must be an object'],
    [
      'with an object for a priority',
      [{ ...good, opts: { priority: { a: MANY } } }],
      '[0].opts.priority must be an integer from 0 to 2097152',
    ],
    [
      'with a list for a backoff',
      [{ ...good, opts: { backoff: MANY } }],
      '[0].opts.backoff must be an object with a type, or a number of milliseconds',
    ],
    ['with an unknown field', [{ ...good, x: { y: MANY } }], lines(['[0].x'])],
    ['with unknown fields', [{ ...good, ...wide }], lines(ten('[0].'))],
    ['with unknown options', [{ ...good, opts: wide }], lines(ten('[0].opts.'))],
    [
      'with an unknown backoff',
      [{ ...good, opts: { backoff: { type: 'fixed', delay: 1, ...wide } } }, { name: 1 }],
      lines(ten('[0].opts.backoff.')),
    ],
    [
      'with a prototype',
      JSON.stringify([{ ...good, x: 1 }]).replace('"x"', '"__proto__"'),
      lines(['[0].__proto__']),
    ],
    [
      'with numbers that lose digits',
      JSON.stringify([good, { name: 1, data: { id: 'ID' } }]).replace('"ID"', '12345678901234567'),
      '[1].name must be a string\n' +
        '[1].data.id is an integer that would lose digits, send it as a string',
    ],
  ] as const) {
    it(`are refused ${title}`, async () => {
      const { status, text } = await add(body);
      expect([status, text]).to.deep.equal([400, message]);
    });
  }

  it('are refused when they are not valid JSON', async () => {
    const text = JSON.stringify([good]);
    for (const broken of [text.slice(0, -1), `${text}]`, text.replace('"a"', '"a" 1')]) {
      const answer = await add(broken);
      expect(answer.status).to.equal(400);
      expect(answer.text).to.match(/^The request body is not valid JSON: Unexpected /);
    }
  });
});
