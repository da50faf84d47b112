import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { requirePython } from '../support/python.ts';
import { HttpService, TOKEN } from './http/support/http-service.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples');

for (const { language, command, args } of [
  {
    language: 'TypeScript',
    command: process.execPath,
    args: ['--import', 'tsx', join(EXAMPLES, 'pull-worker-typescript/worker.ts'), 'some texts'],
  },
  {
    language: 'Python',
    command: undefined,
    args: ['-B', join(EXAMPLES, 'pull-worker-python/worker.py'), 'some texts'],
  },
]) {
  describe(`The pull worker in ${language}`, () => {
    let service: HttpService;
    let worker: ReturnType<typeof spawn>;
    const jobs = '/queues/some%20texts/jobs';

    beforeEach(async () => {
      service = await new HttpService().start();
      worker = spawn(command ?? (await requirePython()), args, {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: {
          ...process.env,
          PYTHONPATH: join(EXAMPLES, '../clients/python/src'),
          JOBGATE_URL: `${service.url}/`,
          JOBGATE_TOKEN: TOKEN,
        },
      });
      await once(worker, 'spawn');
    });

    afterEach(async () => {
      worker.kill('SIGKILL');
      await service.stop();
    });

    const read = async (id: string) => {
      const { text } = await service.request('GET', `${jobs}/${id}`);
      const job = JSON.parse(text) as Readonly<Record<string, unknown>>;
      return job['finishedOn'] !== undefined && job;
    };

    it('does the jobs that are there and those that come, and ends when asked to', async () => {
      const body = [{ name: 'count', data: { text: 'one two  three' } }];
      await service.request('POST', jobs, { body });
      const first = await eventually('a job is done', () => read('1'));
      expect(first).to.deep.include({ state: 'completed', returnvalue: { words: 3 } });
      await service.request('POST', jobs, {
        body: [{ name: 'count', data: { text: 5 }, opts: { attempts: 3 } }],
      });
      const second = await eventually('another one fails', () => read('2'));
      expect(second).to.include({
        state: 'failed',
        failedReason: 'data.text must be a string',
        attemptsMade: 1,
      });
      const ended = once(worker, 'exit');
      worker.kill('SIGTERM');
      const [code] = (await ended) as [number];
      expect(code).to.equal(0);
      await service.request('POST', jobs, { body });
      const { text } = await service.request('GET', `${jobs}/3`);
      expect(JSON.parse(text)).to.include({ state: 'waiting' });
    });
  });
}
