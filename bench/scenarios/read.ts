import { RedisServer } from '../../test/support/redis/redis-server.ts';
import type { BenchOptions } from '../bench-options.ts';
import { local, sendLoad, type Target } from '../load.ts';
import { measure, type Contender } from '../measure.ts';
import { before, result, type Result } from '../report.ts';
import { costOf, ServerProcess } from '../server-process.ts';
import { addJobs, answerSize } from '../service-calls.ts';

const CONNECTIONS = 64;
const READS = 10_000;
const JOBS = 1000;
const QUEUE = 'bench';
const PAGE = `/queues/${QUEUE}/jobs`;

/** Reading a job and a page of jobs over HTTP. */
export async function benchRead(
  rounds: number,
  { other, before: checkout }: BenchOptions,
): Promise<readonly Result[]> {
  const server = await RedisServer.start();
  const store = costOf(server.pid);
  const environment = { STORE_URI: server.uri };
  const bare = await ServerProcess.start(['--import', 'tsx', 'bench/bare-reader.ts'], {});
  const service = await ServerProcess.service(environment);
  const earlier = checkout && (await ServerProcess.service(environment, checkout));
  const read = (
    name: string,
    target: Target,
    path: string,
    costs: Pick<Contender, 'service' | 'store'>,
  ): Contender => ({
    ...costs,
    name,
    run: () => sendLoad(target, { method: 'GET', path }, CONNECTIONS, READS),
  });
  try {
    const here = local(service);
    const path = await jobPath(here);
    const otherPath = other && (await jobPath(other.target));
    const contenders = async (ours: string, theirs = ours): Promise<readonly Contender[]> => [
      read('bare node:http', local(bare), `/${await answerSize(here, ours)}`, { service: bare }),
      read('jobgate', here, ours, { service, store }),
      ...(earlier
        ? [read(before('jobgate'), local(earlier), ours, { service: earlier, store })]
        : []),
      ...(other !== undefined ? [read('other service', other.target, theirs, other)] : []),
    ];
    const jobs = await measure(await contenders(path, otherPath), rounds);
    const pages = await measure(await contenders(PAGE), rounds);
    return [
      result(`Reading one job over HTTP, ${CONNECTIONS} connections`, 'reads/s', jobs, {
        jobgate: 0.7,
      }),
      result(`Reading a page of 10 over HTTP, ${CONNECTIONS} connections`, 'reads/s', pages),
    ];
  } finally {
    await Promise.all([bare.stop(), service.stop(), ...(earlier ? [earlier.stop()] : [])]);
    await server.stop();
  }
}

/** Adds jobs and says where one of them is read. */
async function jobPath(target: Target): Promise<string> {
  const [id] = await addJobs(target, QUEUE, JOBS);
  return `${PAGE}/${id}`;
}
