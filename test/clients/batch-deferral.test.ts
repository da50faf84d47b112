import { expect } from 'chai';
import { createWorker, Deferred, type WorkerOptions } from '../../clients/typescript/src/index.ts';
import { fakeService, type FakeService } from '../../clients/typescript/src/testing.ts';

const jobs = ['1', '2', '3'].map((id) => ({
  job: { id, name: 'send', data: null },
  token: `token-${id}`,
}));

describe('A batch in the webhook worker of the TypeScript client', () => {
  let fake: FakeService;

  beforeEach(async () => {
    fake = await fakeService();
  });

  afterEach(() => fake.close());

  const call = (
    options: Partial<WorkerOptions>,
    headers: Record<string, string> = {},
  ): Promise<Response> =>
    createWorker({ secret: false, url: fake.url, ...options }).fetch(
      new Request('http://worker.test', {
        method: 'POST',
        headers: { 'jobgate-queue': 'mail', ...headers },
        body: JSON.stringify({ batch: 'b', jobs }),
      }),
    );

  it('is deferred as a whole, and completed in another process', async () => {
    let text = '';
    const answer = await call({
      batch: (_jobs, context) => {
        text = JSON.stringify(context.defer({ deadline: 5000 }));
        return [];
      },
    });
    expect(answer.status).to.equal(202);
    expect(answer.headers.get('jobgate-deadline')).to.equal('5000');
    await Deferred.from(text).complete('done');
    const reports = fake.reports.map(({ id, token, verb, body }) => [id, token, verb, body]);
    expect(reports).to.have.deep.members(
      ['1', '2', '3'].map((id) => [id, `token-${id}`, 'complete', 'done']),
    );
  });

  it('goes to its jobs one by one, too', async () => {
    let jobs: readonly Deferred[] = [];
    await call({
      batch: (_jobs, context) => {
        ({ jobs } = context.defer());
        return [];
      },
    });
    await jobs[0]!.complete(1);
    await jobs[1]!.fail('wrong', { retry: false });
    expect(fake.reports.map(({ id, verb, body }) => [id, verb, body])).to.deep.equal([
      ['1', 'complete', 1],
      ['2', 'fail', { reason: 'wrong', retry: false }],
    ]);
  });

  it('goes on while one of its jobs is held', async () => {
    let isEnded: boolean | undefined;
    fake.answerReports(401);
    await call({
      batch: async (elements, { signal }) => {
        await elements[0]!.progress(1).catch(() => undefined);
        await elements[1]!.log('lost').catch(() => undefined);
        isEnded = signal.aborted;
        await elements[2]!.log('lost').catch(() => undefined);
        expect(signal.aborted).to.equal(true);
        return [];
      },
    });
    expect(isEnded).to.equal(false);
  });

  it('reports at the origin of the callback where nothing else says where', async () => {
    const answer = await createWorker({
      secret: false,
      otherwise: (_job, context) => context.log('a line'),
    }).fetch(
      new Request('http://worker.test', {
        method: 'POST',
        headers: {
          'jobgate-queue': 'mail',
          'jobgate-callback': `${fake.url}/behind/a/path/queues/mail/jobs/1`,
        },
        body: JSON.stringify(jobs[0]),
      }),
    );
    expect(answer.status).to.equal(200);
    expect(fake.reports).to.deep.equal([
      { queue: 'mail', id: '1', token: 'token-1', verb: 'logs', body: 'a line' },
    ]);
  });
});
