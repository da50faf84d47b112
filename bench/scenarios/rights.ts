import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RedisServer } from '../../test/support/redis/redis-server.ts';
import { local, sendLoad, type Load, type Target } from '../load.ts';
import { measure, ratios, type Contender, type Measured } from '../measure.ts';
import { figures, result, type Figures, type Result } from '../report.ts';
import { costOf, ServerProcess } from '../server-process.ts';
import { addJobs, call, jobInput } from '../service-calls.ts';

const CONNECTIONS = 64;
const REQUESTS = 5000;

/** The differences are smaller than what a machine drifts by in one long turn, so each contender has many short ones. */
const TURNS_PER_ROUND = 4;
const QUEUE = 'bench';
const PATH = `/queues/${QUEUE}/jobs`;

const FILE = 'token of the file';
const API = 'token of the API';
const LIMITED = 'token with limits';

/** How much more than a token of `AUTH_TOKENS` each may cost, as a share. */
const MOST_MORE: Readonly<Record<string, number>> = { [FILE]: 0.02, [API]: 0.02, [LIMITED]: 0.03 };

const LEAST_RATES = Object.fromEntries(
  Object.entries(MOST_MORE).map(([name, more]) => [name, 1 - more]),
);

const FILE_TOKEN = 'file-token-of-the-bench';
const RIGHTS = ['read', 'data', 'add'];

/** Far beyond what a run sends, so that the limit costs what it costs and refuses nothing. */
const LIMITS = {
  requests: { max: 10_000_000, duration: 60_000 },
  jobs: { max: 10_000_000, duration: 60_000 },
};

/** What adds and reads cost with tokens of the file and of the API, and with limits, beside a token of `AUTH_TOKENS`. */
export async function benchRights(rounds: number): Promise<readonly Result[]> {
  const turns = rounds * TURNS_PER_ROUND;
  const server = await RedisServer.start();
  const folder = await mkdtemp(join(tmpdir(), 'jobgate-rights-'));
  const file = join(folder, 'tokens.json');
  const sha256 = createHash('sha256').update(FILE_TOKEN).digest('hex');
  await writeFile(file, JSON.stringify([{ name: 'bench', sha256, rights: RIGHTS }]));
  const service = await ServerProcess.service({
    STORE_URI: server.uri,
    ACCESS_TOKENS_FILE: file,
  });
  try {
    const plain = local(service);
    const [id = ''] = await addJobs(plain, QUEUE, 1000);
    const targets: Readonly<Record<string, Target>> = {
      AUTH_TOKENS: plain,
      [FILE]: { ...plain, token: FILE_TOKEN },
      [API]: { ...plain, token: await tokenOf(plain, {}) },
      [LIMITED]: { ...plain, token: await tokenOf(plain, { limits: LIMITS }) },
    };
    const costs = { service, store: costOf(server.pid) };
    const contenders = (load: Load): readonly Contender[] =>
      Object.entries(targets).map(([name, target]) => ({
        ...costs,
        name,
        run: () => sendLoad(target, load, CONNECTIONS, REQUESTS),
      }));
    const body = JSON.stringify([jobInput]);
    const adds = await measure(contenders({ method: 'POST', path: PATH, body }), turns);
    const reads = await measure(contenders({ method: 'GET', path: `${PATH}/${id}` }), turns);
    const adding = `Single adds by kind of token, ${CONNECTIONS} connections`;
    const reading = `Reads of one job by kind of token, ${CONNECTIONS} connections`;
    return [
      result(adding, 'jobs/s', adds, LEAST_RATES),
      serviceTime('Single adds, processor time of the service against AUTH_TOKENS', adds),
      result(reading, 'reads/s', reads, LEAST_RATES),
      serviceTime('Reads of one job, processor time of the service against AUTH_TOKENS', reads),
    ];
  } finally {
    await service.stop();
    await server.stop();
    await rm(folder, { recursive: true });
  }
}

/** The rate also bears what the headers of limits cost the client. */
function serviceTime(scenario: string, [baseline, ...others]: readonly Measured[]): Figures {
  const rows = others.map((each) => ({
    name: each.name,
    unit: 'times',
    values: ratios(each, baseline, 'service'),
    most: 1 + (MOST_MORE[each.name] ?? 0),
  }));
  return figures(scenario, rows);
}

async function tokenOf(target: Target, more: object): Promise<string> {
  const token = { name: 'bench', rights: RIGHTS, ...more };
  const response = await call(target, 'POST', '/tokens', token);
  return ((await response.json()) as { token: string }).token;
}
