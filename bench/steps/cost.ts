import { RedisServer } from '../../test/support/redis/redis-server.ts';
import { costRatios, measure, type Contender } from '../measure.ts';
import { figures, result, type Result } from '../report.ts';
import { costOf, ServerProcess } from '../server-process.ts';
import { startEndpoint, SteppingQueue } from './stepping-queue.ts';

const JOBS = 2000;
const STEPS = 5;
const CONCURRENCY = 50;

/** How many times what five plain jobs cost a job of five steps may. */
const MOST = 1.5;

const PLAIN = `${STEPS} plain jobs`;
const PUT = `a job of ${STEPS} steps by PUT`;
const ANSWERED = `a job of ${STEPS} steps by 206`;

/** A job of five steps beside five jobs, from the add to the end. */
export async function benchCost(rounds: number): Promise<readonly Result[]> {
  const redis = await RedisServer.start();
  const endpoint = await startEndpoint();
  const service = await ServerProcess.service({ STORE_URI: redis.uri });
  const contender = (name: string, path: string, jobs: number): Contender => {
    const queue = new SteppingQueue(service, endpoint, path.replaceAll('/', '-'), path);
    return {
      name,
      service,
      store: costOf(redis.pid),
      run: async () => {
        await queue.add(jobs);
        await queue.startWorker(CONCURRENCY);
        await queue.until('completed', jobs);
        await queue.stopWorker();
        return JOBS;
      },
      after: () => queue.empty(),
    };
  };
  try {
    const measured = await measure(
      [
        contender(PLAIN, 'plain', STEPS * JOBS),
        contender(PUT, `put/${service.port}/${STEPS}`, JOBS),
        contender(ANSWERED, `answer/${STEPS}`, JOBS),
      ],
      rounds,
    );
    const [plain, ...others] = measured;
    const rows = others.map((each) => ({
      name: `${each.name}, processor time`,
      values: costRatios(each, plain),
      unit: 'times',
      most: MOST,
    }));
    return [
      result('Jobs of several steps', 'jobs/s', measured),
      figures(`Jobs of several steps: against ${PLAIN}`, rows),
    ];
  } finally {
    await Promise.all([service.stop(), endpoint.stop()]);
    await redis.stop();
  }
}
