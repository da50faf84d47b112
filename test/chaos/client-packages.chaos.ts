import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Jobgate } from '../../clients/typescript/src/index.ts';
import { requirePython } from '../support/python.ts';
import type { RedisServer } from '../support/redis/redis-server.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { startDurableRedis } from './support/outage.ts';

const CLIENTS = join(import.meta.dirname, '../../clients');
const JOBS = 10_000;

/** Most jobs of a page. */
const PAGE = 1000;

/** Milliseconds between two kills. */
const PAUSE = 700;

/** Workers that return the data of their jobs. */
const PROGRAMS = {
  TypeScript: () =>
    Promise.resolve({
      command: process.execPath,
      args: [
        '--input-type=module',
        '-e',
        `import { Jobgate } from '${CLIENTS}/typescript/dist/index.js';
        new Jobgate().pull('kept', (job) => job.data, { concurrency: 50, lock: 1000 });`,
      ],
    }),
  Python: async () => ({
    command: await requirePython(),
    args: [
      '-c',
      `import jobgate
async def work(job, context): return job["data"]
jobgate.Jobgate().pull("kept", work, concurrency=50, lock=1000).join()`,
    ],
  }),
};

for (const [language, program] of Object.entries(PROGRAMS)) {
  describe(`Workers that pull with the ${language} client`, () => {
    let store: RedisServer;
    let service: ServiceProcess;
    let jobgate: Jobgate;
    const workers: ChildProcess[] = [];

    before(async () => {
      store = await startDurableRedis();
      service = await ServiceProcess.start({ STORE_URI: store.uri, STALLED_INTERVAL: '500' });
      jobgate = new Jobgate({ url: service.url, token: ServiceProcess.token });
    });

    after(async () => {
      for (const worker of workers) worker.kill('SIGKILL');
      await service.kill();
      await store.stop();
    });

    const start = async (): Promise<void> => {
      const { command, args } = await program();
      const worker = spawn(command, args, {
        stdio: ['ignore', 'inherit', 'inherit'],
        env: {
          PATH: process.env['PATH'],
          PYTHONPATH: join(CLIENTS, 'python/src'),
          PYTHONDONTWRITEBYTECODE: '1',
          JOBGATE_URL: service.url,
          JOBGATE_TOKEN: ServiceProcess.token,
        },
      });
      workers.push(worker);
      await once(worker, 'spawn');
    };

    it(`lose none of ${JOBS} jobs while one of them is killed again and again, and end with 0`, async () => {
      const queue = jobgate.queue('kept');
      // A registration says how often a job may stall; its endpoint is not called.
      const endpoint = { url: 'http://127.0.0.1:9/', method: 'post' };
      const opts = { concurrency: 1000, maxStalledCount: 100 };
      await jobgate.workers.register({ queue: 'kept', endpoint, opts });
      await jobgate.workers.disable('kept');
      await queue.pause();
      await queue.addAll(Array.from({ length: JOBS }, (_, data) => ({ name: 'keep', data })));
      await start();
      await start();
      await queue.resume();
      let kills = 0;
      const begun = performance.now();
      for (;;) {
        await sleep(PAUSE);
        const { counts } = await queue.jobs({ length: 0 });
        if (counts.completed + counts.failed === JOBS) break;
        workers.shift()?.kill('SIGKILL');
        kills += 1;
        await start();
      }
      console.log(
        `        ${kills} kills, all done after ms ${Math.round(performance.now() - begun)}`,
      );
      expect(kills).to.be.at.least(2);
      const returned: unknown[] = [];
      for (let page = 0; page < JOBS; page += PAGE) {
        const { jobs } = await queue.jobs({ statuses: 'completed', start: page, length: PAGE });
        returned.push(
          ...jobs.map(({ data, returnvalue }) => (data === returnvalue ? data : 'wrong')),
        );
      }
      expect(new Set(returned).size).to.equal(JOBS);
      expect(returned).not.to.include('wrong');
      const ends = workers.map((worker) => once(worker, 'exit'));
      for (const worker of workers) worker.kill('SIGTERM');
      for (const [code] of await Promise.all(ends)) expect(code).to.equal(0);
    }).timeout(180_000);
  });
}
