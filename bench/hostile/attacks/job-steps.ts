import type { Attack } from '../attack.ts';
import { withToken, type Caller } from '../caller.ts';
import { addSmall, atOnce, several, times, whileRunning } from '../steps.ts';

/** The queue whose jobs the attacker holds. */
const HELD = '/queues/held/jobs';
const SIGNALS = '/queues/held/signals';
/** How many jobs wait for one signal. */
const WAITING = 10_000;

/** A job that the attacker has claimed. */
interface Held {
  readonly job: { readonly id: string };
  readonly token: string;
}

/** JSON of so many bytes. */
const textOf = (bytes: number): string => `"${'x'.repeat(bytes - 2)}"`;

function stepsOf(count: number, bytes: number): string {
  const value = textOf(bytes);
  return `{${Array.from({ length: count }, (_, step) => `"step-${step}":${value}`).join(',')}}`;
}

function claim(caller: Caller, count: number): Promise<readonly Held[]> {
  const body = JSON.stringify({ count, lock: 600_000 });
  return caller.read('POST', `${HELD}/claim`, body) as Promise<readonly Held[]>;
}

function suspend(caller: Caller, { job, token }: Held, body: string): Promise<number> {
  return caller.call('POST', `${HELD}/${job.id}/suspend`, body, withToken(token));
}

async function addHeld(caller: Caller, count: number): Promise<void> {
  const jobs = Array.from({ length: count }, () => ({ name: 'job', data: 1 }));
  await caller.must('POST', HELD, JSON.stringify(jobs));
}

/** Saves all steps that each of many jobs may have, and has them claimed together. */
function atTheBounds(count: number, bytes: number): Attack {
  return {
    name: `100 jobs with ${count} steps of ${bytes} bytes, by eight clients, then claimed four times at once`,
    body: () => `{"steps":${stepsOf(count, bytes)}}`,
    run: async (caller, body) => {
      await addHeld(caller, 100);
      const held = await claim(caller, 100);
      await several(8, held.length, (index) => suspend(caller, held[index] as Held, body));
      await atOnce(4, () => caller.call('POST', `${HELD}/claim`, '{"count":25}'));
    },
  };
}

export const JOB_STEPS: readonly Attack[] = [
  {
    name: '1000 steps of 1 kB by a job token, then read 100 times by eight clients',
    run: (caller) =>
      whileRunning(caller, async (path, token) => {
        const [headers, value] = [withToken(token), textOf(1000)];
        const save = (step: number) => caller.call('PUT', `${path}/steps/${step}`, value, headers);
        await several(8, 1000, save);
        await several(8, 100, () => caller.call('GET', `${path}/steps`));
      }),
  },
  {
    name: '10,000 steps of 256 kB by a job token and 64 clients',
    run: (caller) =>
      whileRunning(caller, async (path, token) => {
        const [headers, value] = [withToken(token), textOf(256 * 1024)];
        const save = (step: number) =>
          caller.call('PUT', `${path}/steps/${step % 2000}`, value, headers);
        await several(64, 10_000, save);
      }),
  },
  {
    name: '80 suspensions of 9.9 MB by a job token',
    run: (caller) =>
      whileRunning(caller, (path, token) => {
        const body = `{"steps":{"large":${textOf(9_900_000)}}}`;
        return times(80, () => caller.call('POST', `${path}/suspend`, body, withToken(token)));
      }),
  },
  atTheBounds(1000, 1024),
  atTheBounds(4, 256 * 1024),
  {
    name: '64 suspensions that add 1000 jobs of 9 kB each, by 16 clients',
    body: () => {
      const job = { queue: 'held', name: 'added', data: 'x'.repeat(9000) };
      return JSON.stringify({ add: { jobs: Array.from({ length: 1000 }, () => job) } });
    },
    run: async (caller, body) => {
      await addHeld(caller, 64);
      const held = await claim(caller, 64);
      await several(16, held.length, (index) => suspend(caller, held[index] as Held, body));
    },
  },
  {
    name: `a signal of 64 kB that ${WAITING.toLocaleString('en')} jobs wait for`,
    prepare: async (caller) => {
      await addSmall(caller, WAITING, HELD);
      const body = '{"waitFor":{"paid":{"signal":"paid"}}}';
      for (let waiting = 0; waiting < WAITING; waiting += 100) {
        const held = await claim(caller, 100);
        await several(16, held.length, (index) => suspend(caller, held[index] as Held, body));
      }
    },
    body: () => textOf(65_536),
    run: (caller, body) => caller.call('POST', `${SIGNALS}/paid`, body),
  },
  {
    name: '10,000 kept signals of 64 kB by eight clients, then 100 pages of them',
    run: async (caller) => {
      const body = textOf(64_000);
      await several(8, 10_000, (key) => caller.call('POST', `${SIGNALS}/${key}?keep=60000`, body));
      await several(8, 100, () => caller.call('GET', `${SIGNALS}?length=1000`));
    },
  },
];
