import { join } from 'node:path';
import { expect } from 'chai';
import { RecordingJobgate } from '../support/recording-jobgate.ts';
import { StartedProgram } from '../support/started-program.ts';

const PROGRAM = join(import.meta.dirname, '../../examples/deferring-worker-typescript/worker.ts');

const JOB = '/queues/reports/jobs/1';

describe('The deferring worker in TypeScript', () => {
  let jobgate: RecordingJobgate;
  let worker: StartedProgram;

  beforeEach(async () => {
    jobgate = await RecordingJobgate.start();
    worker = await StartedProgram.start(process.execPath, ['--import', 'tsx', PROGRAM], {
      PORT: '0',
      MINUTE: '20',
    });
  });

  afterEach(async () => {
    await worker.kill();
    await jobgate.stop();
  });

  const call = (data: unknown, headers: Record<string, string>) =>
    fetch(worker.url, {
      method: 'POST',
      headers: { 'jobgate-queue': 'reports', ...headers },
      body: JSON.stringify({ job: { id: '1', name: 'yearly', data }, token: 'token-of-the-job' }),
    });

  it('accepts a job, reports it each minute, and completes it before it ends', async () => {
    const answer = await call({ minutes: 2 }, { 'jobgate-callback': jobgate.url + JOB });
    expect(answer.status).to.equal(202);
    expect(answer.headers.get('jobgate-deadline')).to.equal('60000');
    expect(await worker.end()).to.equal(0);
    const authorization = 'Bearer token-of-the-job';
    expect(jobgate.requests).to.deep.equal(
      [
        [`${JOB}/progress`, { minute: 1, minutes: 2 }],
        [`${JOB}/extend`, { lock: 120_000 }],
        [`${JOB}/progress`, { minute: 2, minutes: 2 }],
        [`${JOB}/extend`, { lock: 120_000 }],
        [`${JOB}/complete`, { minutes: 2 }],
      ].map(([path, body]) => ({ method: 'POST', path, authorization, body })),
    );
  });

  it('refuses what it cannot do or could not report', async () => {
    const headers = { 'jobgate-callback': jobgate.url + JOB };
    const wrong = await call({ minutes: 'two' }, headers);
    expect(await wrong.json()).to.include({
      status: 422,
      detail: 'data.minutes must be a number',
    });
    expect((await call({ minutes: 2 }, {})).status).to.equal(500);
    expect(await worker.end()).to.equal(0);
    expect(jobgate.requests).to.deep.equal([]);
  });
});
