import { expect } from 'chai';
import type { Right } from '../../../src/domain/access/right.ts';
import { RIGHTS } from '../../../src/domain/values/rights.ts';
import { NOBODY } from '../../../src/domain/access/caller.ts';
import { shownTo } from '../../../src/domain/access/visible.ts';
import { done } from '../../../src/application/operations/out.ts';
import { operation } from '../../../src/application/operations/operation.ts';
import type { OpenApiDocument } from '../../../src/adapters/inbound/http/messages/openapi.ts';
import { eventually } from '../../support/eventually.ts';
import { answer, EndpointServer } from '../../support/endpoint-server.ts';
import { HttpService, TOKEN } from './support/http-service.ts';
import { restrictedTokens } from './support/restricted-tokens.ts';

/** The table of the contract (platform contract, section 11), by the right that it names for each operation. */
const TABLE: Readonly<Record<string, readonly string[]>> = {
  read: [
    'searchJobs listJobs readJob readAttempts waitForResult readFailures readRecentFailures',
    'readQueueFigures readFigures listQueues readQueue readDeduplication followQueues followQueue',
    'issueTicket listWorkers readWorker readWorkerHealth readPolicy readCommonPolicy readFlow',
    'readSettingSet listGroups readGroup listHooks readHook listHookDeliveries',
    'readChildren readWhyJobIsBlocked readScheduler listSchedulers listAllSchedulers listCalls readSystem',
    'listSignals listTopics readTopic readSubscription listLimits readLimit listQueuesAtLimit',
  ],
  'read or job': ['listSteps'],
  data: ['readLogs readJobData readReturnValue'],
  add: ['addJobs addJobsToQueue addFlow sendSignal publish'],
  process: ['claimJobs'],
  operate: [
    'retryJob promoteJob cancelJob changeJob removeJob retryJobs promoteJobs cleanJobs cancelJobs redriveJobs',
    'pauseQueue resumeQueue holdQueue endHold drainQueue',
    'removeSteps removeStep forgetSignal',
    'pauseGroup resumeGroup holdGroup endHoldOfGroup',
    'runScheduler pauseScheduler resumeScheduler enableWorker disableWorker testWorker',
    'testHook resendHookDelivery resendCallback',
  ],
  'operate and data': ['erase'],
  configure: [
    'registerWorker changeWorker removeWorker rotateSecret savePolicy removePolicy saveCommonPolicy',
    'saveGroup removeGroup saveHook removeHook rotateHookSecret',
    'saveSubscription removeSubscription removeTopic saveLimit removeLimit',
    'changeSettingSet removeCommonPolicy saveScheduler removeScheduler removeQueue endDeduplication',
  ],
  metrics: ['readMetrics'],
  'read or metrics': ['readQueueDemand readDemand'],
  audit: ['readAudit'],
  tokens: ['createToken listTokens readToken changeToken rotateToken removeToken'],
  admin: ['rewrapSecrets backUpStore'],
  any: [
    'readOwnAccess sendMcpMessage createSession listSessions endSession endOtherSession signOut',
  ],
  job: ['completeJob failJob extendLock releaseJob updateProgress addLog saveStep suspendJob'],
  nothing: ['readLiveness readReadiness readOpenApi readDocs beginSignIn finishSignIn'],
};

interface Operation {
  readonly operationId: string;
  readonly method: string;
  /** With names in place of its parameters. They need not exist. */
  readonly path: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

/** An operation that takes nothing, without its right. */
const described = {
  summary: 'Read anything',
  description: 'All of it.',
  in: {},
  out: done('It is read'),
};

describe('Rights', () => {
  let service: HttpService;
  let operations: readonly Operation[];

  before(async () => {
    const accesses = RIGHTS.map((right) => {
      const rights: readonly Right[] = right === 'data' ? ['read', 'data'] : [right];
      return [right, { rights, queues: null }] as const;
    });
    const tokens = restrictedTokens({
      ...Object.fromEntries(accesses),
      some: { rights: ['admin'], queues: ['mail-*', '!mail-vip'] },
      reader: { rights: ['read'], queues: ['mail-*'] },
    });
    service = await new HttpService({ knownTokens: tokens }).start();
    const { text } = await service.request('GET', '/openapi.json');
    operations = operationsOf(JSON.parse(text) as OpenApiDocument);
  });

  after(() => service.stop());

  /** The answer to an operation. It is called without a body, and changes nothing. */
  const call = ({ method, path }: Operation, token: string, queue = 'none') =>
    service.request(method, path.replace('{queue}', queue), { token });

  it('has a row for every operation', () => {
    const named = Object.values(TABLE).flatMap((lines) => lines.flatMap((line) => line.split(' ')));
    expect(named).to.have.members(operations.map(({ operationId }) => operationId));
  });

  // holds: rights.compiled
  it('accepts no operation without a right, which the compiler checks', () => {
    // @ts-expect-error -- `access` is missing, and this is what the test is about
    const incomplete = operation({ ...described, perform: () => 'all of it' });
    expect(incomplete).not.to.have.property('access');
  });

  // holds: rights.data
  it('accepts no operation that answers values of jobs without a view, which the compiler checks', () => {
    const terms = { ...described, access: 'read', perform: () => ({ data: 1 }) } as const;
    // @ts-expect-error -- `view` is missing, and this is what the test is about
    expect(operation(terms)).to.have.property('access');
    const viewed = operation({ ...terms, view: (read, caller) => shownTo(caller, read) });
    expect(viewed.view({ data: 1 }, NOBODY)).to.deep.equal({});
  });

  // holds: rights.openapi
  it('names the right of every operation in the OpenAPI document', () => {
    for (const { operationId, security } of operations) {
      const row = rowOf(operationId);
      const expected =
        {
          any: [{ apiToken: [] }],
          job: [{ jobToken: [] }],
          nothing: [],
        }[row] ??
        row
          .split(' or ')
          .map((each) => (each === 'job' ? { jobToken: [] } : { apiToken: each.split(' and ') }));
      const told = security.filter((each) => !('ticket' in each));
      expect(told, operationId).to.deep.equal(expected);
    }
  });

  for (const right of RIGHTS) {
    // holds: rights.table, rights.refusal
    it(`${right}: allows exactly what the table says`, async () => {
      for (const operation of operations) {
        const row = rowOf(operation.operationId);
        if (['job', 'nothing'].includes(row)) continue;
        const held = right === 'data' ? ['read', 'data'] : [right];
        const lacked = row
          .split(' and ')
          .map((each) => each.split(' or '))
          .find((rights) => !held.some((each) => rights.includes(each)));
        const isAllowed = row === 'any' || right === 'admin' || lacked === undefined;
        const { status, headers, text } = await call(operation, right);
        const place = `${operation.operationId} with ${right}`;
        if (isAllowed) {
          expect(status, place).not.to.be.oneOf([401, 403]);
        } else {
          const lacking = `This token lacks the right ${lacked[0]}`;
          expect([status, text], place).to.deep.equal([403, lacking]);
          const scope = `Bearer error="insufficient_scope", scope="${lacked[0]}"`;
          expect(headers.get('www-authenticate'), place).to.equal(scope);
        }
      }
    });
  }

  // holds: rights.queues
  it('refuses every operation on a queue outside the patterns, whether it exists or not', async () => {
    const body = [{ name: 'work', data: 1 }];
    await service.request('POST', '/queues/billing/jobs', { body });
    const onQueue = operations.filter(
      ({ operationId, path }) => path.includes('{queue}') && rowOf(operationId) !== 'job',
    );
    expect(onQueue.length).to.be.greaterThan(30);
    for (const operation of onQueue) {
      for (const queue of ['billing', 'nothing', 'mail-vip', 'Mail-a', 'm%61il', 'a%3Ab']) {
        const { status, text, headers } = await call(operation, 'some', queue);
        const place = `${operation.operationId} ${queue}`;
        expect([status, text], place).to.deep.equal([403, 'This token may not use this queue']);
        expect(headers.get('www-authenticate'), place).to.equal(null);
      }
      const { status } = await call(operation, 'some', 'm%61il-a');
      expect(status, operation.operationId).not.to.equal(403);
    }
  });

  // holds: rights.all-queues
  it('refuses operations on all queues to tokens for some', async () => {
    const calls = [
      ['GET', '/policy'],
      ['PUT', '/policy'],
      ['DELETE', '/policy'],
      ['GET', '/metrics'],
    ] as const;
    for (const [method, path] of calls) {
      const { status, text } = await service.request(method, path, { token: 'some' });
      expect([status, text], path).to.deep.equal([403, 'This token may not use all queues']);
    }
  });

  // holds: rights.queues
  it('checks the queues in the bodies of workers and flows too', async () => {
    const worker = { queue: 'billing', endpoint: { url: 'http://127.0.0.1:1/', method: 'post' } };
    const child = { queue: 'billing', name: 'part', data: 1 };
    const inner = { queue: 'mail-b', name: 'part', data: 1, children: [child] };
    const flow = { queue: 'mail-a', name: 'whole', data: 1, children: [inner] };
    for (const [path, body] of [
      ['/workers', worker],
      ['/flows', flow],
    ] as const) {
      const { status, text } = await service.request('POST', path, { token: 'some', body });
      expect([status, text], path).to.deep.equal([403, 'This token may not use this queue']);
    }
    // Even if there are other mistakes in them.
    const broken = { queue: 'mail-b', name: 5, children: [child] };
    for (const [path, body] of [
      ['/workers', { queue: 'billing' }],
      ['/workers', { ...worker, endpoint: { url: 'nowhere' }, unknown: 1 }],
      ['/flows', { ...flow, name: 5 }],
      ['/flows', { queue: 'mail-a', children: [broken] }],
    ] as const) {
      const { status, text } = await service.request('POST', path, { token: 'some', body });
      expect([status, text], path).to.deep.equal([403, 'This token may not use this queue']);
    }
    const own = await service.request('POST', '/flows', {
      token: 'some',
      body: { queue: 'mail-a' },
    });
    expect(own.status).to.equal(400);
    for (const body of [{ queue: 5 }, {}, []]) {
      const refused = await service.request('POST', '/workers', { token: 'some', body });
      expect(refused.status).to.equal(400);
    }
  });

  // holds: rights.order
  it('checks the token, the right, the queue and then the rest', async () => {
    const paths = ['/queues/billing/hold', '/queues/mail-a/hold'] as const;
    const statusOf = async (token: string, path: string) => {
      const { status, text } = await service.request('POST', path, { token, body: '{broken' });
      return `${status} ${status === 400 ? '' : text}`.trim();
    };
    expect(await statusOf('wrong', paths[0])).to.equal('401 The token is not valid');
    expect(await statusOf('reader', paths[0])).to.equal('403 This token lacks the right operate');
    expect(await statusOf('some', paths[0])).to.equal('403 This token may not use this queue');
    expect(await statusOf('some', paths[1])).to.equal('400');
  });

  // holds: rights.whoami
  it('shows a client what its token allows', async () => {
    const read = async (token: string): Promise<unknown> =>
      JSON.parse((await service.request('GET', '/whoami', { token })).text);
    expect(await read('some')).to.deep.equal({
      name: 'some',
      rights: ['admin'],
      queues: ['mail-*', '!mail-vip'],
      expires: null,
      via: 'token',
    });
    expect(await read(TOKEN)).to.include({ queues: null, via: 'token' });
    expect((await service.request('GET', '/whoami', { token: 'job' })).status).to.equal(401);
  });

  // holds: rights.lists
  it('lists only what belongs to the queues of a token', async () => {
    for (const queue of ['mail-list', 'other-list']) {
      const flow = [{ queue: 'mail-list', name: 'a', data: 1 }];
      await service.request('POST', '/flows', {
        body: {
          ...{ queue, name: 'root', data: 1, opts: { jobId: 'root' } },
          children: [...flow, { queue: 'other-list', name: 'b', data: 1, children: flow }],
        },
      });
      const worker = { queue, endpoint: { url: 'http://127.0.0.1:1/', method: 'post' } };
      await service.request('POST', '/workers', { body: worker });
      await service.request('PUT', `/queues/${queue}/schedulers/daily`, {
        body: { repeat: { every: 86_400_000 }, job: { name: 'job', data: 'secret' } },
      });
    }
    // An older view of the queues is not shown any longer.
    await service.clock.advance(5000);
    const read = (path: string) => service.request('GET', path, { token: 'reader' });
    for (const path of [
      '/queues',
      '/queues?view=figures',
      '/queues?view=figures&sort=waiting',
      '/workers',
      '/schedulers',
      '/flows/mail-list/root',
      '/queues/mail-list/jobs/root/children',
    ]) {
      const { status, text } = await read(path);
      expect(status, text).to.equal(200);
      expect(text, path).to.contain('mail-list');
      expect(text, path).not.to.contain('other-list');
    }
    const addedIn = async (token: string): Promise<number> => {
      const { text } = await service.request('GET', '/figures', { token });
      const { series } = JSON.parse(text) as { series: { added: readonly (number | null)[] } };
      return series.added.reduce<number>((sum, each) => sum + (each ?? 0), 0);
    };
    const own = JSON.parse((await read('/queues/mail-list/figures')).text) as {
      series: { added: readonly (number | null)[] };
    };
    expect(await addedIn('reader')).to.be.at.least(own.series.added.at(-1) ?? Infinity);
    expect(await addedIn('reader')).to.be.lessThan(await addedIn(TOKEN));
  });

  // holds: rights.data
  it('shows no values to a token without the right data', async () => {
    const path = '/queues/mail-values/jobs';
    const data = { word: 'hidden-data' };
    await service.request('POST', path, { body: [{ name: 'work', data, opts: { jobId: 'one' } }] });
    const attempt = await service.claim('mail-values');
    const job = `${path}/${attempt.job.id}`;
    const held = { token: attempt.token };
    await service.request('POST', `${job}/progress`, { ...held, body: { at: 'hidden-progress' } });
    await service.request('POST', `${job}/logs`, { ...held, body: { line: 'hidden-line' } });
    await service.request('POST', `${job}/complete`, { ...held, body: { is: 'hidden-value' } });
    await service.request('POST', path, { body: [{ name: 'other', data: 1 }] });
    await service.request('PUT', '/queues/mail-values/schedulers/daily', {
      body: { repeat: { every: 86_400_000 }, job: { name: 'job', data: 'hidden-data' } },
    });
    const paths = [
      path,
      `${path}?view=summary`,
      job,
      `${job}?view=summary`,
      `${job}/result`,
      `${job}/attempts`,
      `${path}/search?name=work`,
      '/flows/mail-values/one',
      '/queues/mail-values/schedulers',
      '/queues/mail-values/schedulers/daily',
      '/schedulers',
    ];
    for (const each of paths) {
      const { status, text } = await service.request('GET', each, { token: 'reader' });
      expect(status, each).to.equal(200);
      expect(text, each).not.to.contain('hidden');
      expect(text, each).not.to.match(/"(data|returnvalue|progress|response)":/);
    }
    for (const each of [
      `${job}/logs`,
      `${job}/data`,
      `${job}/returnvalue`,
      `${path}/search?data=%7B`,
    ]) {
      const { status, text } = await service.request('GET', each, { token: 'reader' });
      expect([status, text], each).to.deep.equal([403, 'This token lacks the right data']);
    }
    const stream = await service.request('GET', '/queues/mail-values/events', {
      token: 'reader',
      headers: { 'Last-Event-ID': '0-0' },
    });
    expect(stream.text).not.to.contain('hidden');
    const again = await service.request('POST', path, {
      token: 'add',
      body: [
        { name: 'work', data: 1, opts: { jobId: 'one' } },
        { name: 'work', data: 'mine' },
      ],
    });
    expect(again.text).not.to.contain('hidden');
    const [existing] = JSON.parse(again.text) as readonly object[];
    expect(existing).not.to.have.any.keys('data', 'returnvalue', 'progress');
  });

  // holds: rights.data
  it('answers an add with the jobs that it created, without values of other jobs or of their ends', async () => {
    const path = '/queues/mail-own/jobs';
    const add = async (opts: object, headers: Readonly<Record<string, string>> = {}) => {
      const body = [{ name: 'work', data: 'mine', opts }];
      const { text } = await service.request('POST', path, { token: 'add', body, headers });
      return (JSON.parse(text) as readonly object[])[0];
    };
    const deduplicated = { deduplication: { id: 'one' } };
    const key = { 'Idempotency-Key': 'own' };
    const asAdded = { data: 'mine', progress: 0, returnvalue: null };
    expect(await add({})).to.include(asAdded);
    expect(await add({ jobId: 'own' })).to.include(asAdded);
    expect(await add(deduplicated)).to.include(asAdded);
    expect(await add({}, key)).to.include(asAdded);
    expect(await add({}, key)).to.include(asAdded);
    for (const opts of [{ jobId: 'own' }, deduplicated]) {
      expect(await add(opts)).not.to.have.any.keys('data', 'progress', 'returnvalue');
    }
    const awaited = add({ lifo: true, jobId: 'ended' }, { Prefer: 'wait=30' });
    await eventually('the job is added', async () => {
      const { status } = await service.request('GET', `${path}/ended`);
      return status === 200;
    });
    const attempt = await service.claim('mail-own');
    await service.request('POST', `${path}/ended/complete`, {
      token: attempt.token,
      body: { is: 'hidden' },
    });
    expect(await awaited)
      .to.include({ data: 'mine' })
      .and.not.have.any.keys('progress', 'returnvalue');
  });

  // holds: rights.data
  it('shows what an endpoint answered to a test call only to a token with the right data', async () => {
    const endpoint = await EndpointServer.start(answer(200, 'hidden'));
    try {
      const worker = { queue: 'mail-test', endpoint: { url: endpoint.url, method: 'post' } };
      await service.request('POST', '/workers', { body: worker });
      const tested = async (token: string): Promise<object> => {
        const { text } = await service.request('POST', '/workers/mail-test/test', { token });
        return JSON.parse(text) as object;
      };
      expect(await tested(TOKEN)).to.include({ outcome: 'completed', response: 'hidden' });
      expect(await tested('operate')).to.include({ outcome: 'completed', reason: null });
      expect(JSON.stringify(await tested('operate'))).not.to.contain('hidden');
    } finally {
      await endpoint.close();
    }
  });

  // holds: rights.idempotency
  it('keeps the idempotency keys of callers apart', async () => {
    const add = async (token: string) => {
      const { headers } = await service.request('POST', '/queues/mail-a/jobs', {
        token,
        headers: { 'Idempotency-Key': 'key' },
        body: [{ name: 'work', data: 1 }],
      });
      return headers.get('idempotent-replayed');
    };
    expect([await add('some'), await add('some'), await add('add')]).to.deep.equal([
      null,
      'true',
      null,
    ]);
  });
});

/** Any one of the rights of a row is enough. */
function rowOf(operationId: string): string {
  const row = Object.entries(TABLE).find(([, lines]) =>
    lines.some((line) => line.split(' ').includes(operationId)),
  );
  if (row === undefined) throw new Error(`The table has no row for ${operationId}`);
  return row[0];
}

function operationsOf({ paths }: OpenApiDocument): readonly Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, security }]) => ({
      operationId,
      security,
      method: method.toUpperCase(),
      path: path.replace(/\{(?!queue\})\w+\}/g, 'none'),
    })),
  );
}
