import { setTimeout as sleep } from 'node:timers/promises';
import { figures, type Figures, type Result } from '../report.ts';
import { ServerProcess } from '../server-process.ts';
import { jobInput } from '../service-calls.ts';
import { fillFolder, type Filling } from './filled-folder.ts';
import { withFolder } from './folders.ts';

const MEGABYTE = 1024 * 1024;
/** What is aimed for with a million jobs: milliseconds until they are open, megabytes that ended ones take. */
const MOST_OPENING = 15_000;
const MOST_MEMORY = 300;
/** Milliseconds that an empty folder may add to the start. */
const MOST_START = 100;
/** Milliseconds after which a service that does nothing has given back the memory of its start. */
const REST = 15_000;

/** How long a folder takes to open, and how much memory what it holds. */
export async function benchSize(rounds: number, jobs: number): Promise<readonly Result[]> {
  const share = jobs / 1_000_000;
  const waiting = await opened(rounds, { jobs, areCompleted: false, data: jobInput.data });
  const ended = await opened(rounds, {
    jobs,
    areCompleted: true,
    data: { text: 'x'.repeat(1000) },
  });
  const none = await opened(rounds, { jobs: 0, areCompleted: false, data: {} });
  const above = (values: readonly number[]): readonly number[] =>
    values.map((value, round) => value - (none.memory[round] ?? Number.NaN));
  const many = jobs.toLocaleString('en');
  return [
    await starts(rounds),
    figures(`${many} jobs in a folder`, [
      { name: 'waiting: open', values: waiting.ready, unit: 'ms', most: MOST_OPENING * share },
      { name: 'waiting: memory at rest', values: above(waiting.memory), unit: 'MB' },
      { name: 'ended, 1 kB of data: open', values: ended.ready, unit: 'ms' },
      {
        name: 'ended, 1 kB of data: memory at rest',
        values: above(ended.memory),
        unit: 'MB',
        most: MOST_MEMORY * share,
      },
    ]),
  ];
}

/** The start on an empty folder beside that without a disk. */
async function starts(rounds: number): Promise<Figures> {
  const found: { memory: number[]; embedded: number[] } = { memory: [], embedded: [] };
  for (let round = 0; round <= rounds; round += 1) {
    const memory = await start({ STORE: 'memory' });
    await memory.service.stop();
    const embedded = await withFolder(async (folder) => {
      const started = await start({ STORE_PATH: folder });
      await started.service.stop();
      return started;
    });
    if (round === 0) continue;
    found.memory.push(memory.ready);
    found.embedded.push(embedded.ready);
  }
  const later = found.embedded.map((ready, round) => ready - (found.memory[round] ?? Number.NaN));
  return figures('Ready after the start', [
    { name: 'STORE=memory', values: found.memory, unit: 'ms' },
    { name: 'STORE=embedded, empty folder', values: found.embedded, unit: 'ms' },
    { name: 'more with a folder', values: later, unit: 'ms', most: MOST_START },
  ]);
}

interface Opened {
  /** Milliseconds until the service was ready. */
  readonly ready: readonly number[];
  /** Megabytes at rest. */
  readonly memory: readonly number[];
}

function opened(rounds: number, filling: Filling): Promise<Opened> {
  return withFolder(async (folder) => {
    await fillFolder(folder, filling);
    const found: { ready: number[]; memory: number[] } = { ready: [], memory: [] };
    for (let round = 0; round < rounds; round += 1) {
      const { service, ready } = await start({ STORE_PATH: folder });
      await sleep(REST);
      found.ready.push(ready);
      found.memory.push(service.memory / MEGABYTE);
      await service.stop();
    }
    return found;
  });
}

async function start(
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly service: ServerProcess; readonly ready: number }> {
  const service = await ServerProcess.service(environment);
  const asked = performance.now();
  while (!(await fetch(`http://127.0.0.1:${service.port}/health/ready`)).ok) await sleep(5);
  return { service, ready: service.startTime + performance.now() - asked };
}
