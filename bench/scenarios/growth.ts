import { backlog, spread, type GrowthCase } from '../growth/cases.ts';
import { Stage } from '../stage.ts';
import { measure, ratios } from '../measure.ts';
import { startNoOpEndpoint, type NoOpEndpoint } from '../no-op-endpoint.ts';
import { figures, noted, result, type Result } from '../report.ts';

const MEGABYTE = 1024 * 1024;

/** How many times what it costs in the small case a job may cost in the large one. */
const MOST = 1.3;

interface Growth {
  readonly title: string;
  readonly small: GrowthCase;
  readonly large: GrowthCase;
}

const GROWTHS: readonly Growth[] = [
  {
    title: 'waiting jobs',
    small: backlog('1,000 waiting', { waiting: 1000 }),
    large: backlog('1,000,000 waiting', { waiting: 1_000_000 }),
  },
  {
    title: 'delayed jobs',
    small: backlog('0 delayed', { delayed: 0 }),
    large: backlog('100,000 delayed', { delayed: 100_000 }),
  },
  {
    title: 'concurrency',
    small: backlog('concurrency 100', { concurrency: 100 }),
    large: backlog('concurrency 1000', { concurrency: 1000 }),
  },
  {
    title: 'queues',
    small: spread('1 queue, concurrency 1000', 1, 1000),
    large: spread('1,000 queues, concurrency 1', 1000, 1),
  },
];

/** What processing a job costs when there is more of everything around it. */
export async function benchGrowth(rounds: number): Promise<readonly Result[]> {
  const endpoint = await startNoOpEndpoint();
  try {
    const results: Result[] = [];
    for (const growth of GROWTHS) results.push(...(await measureGrowth(growth, endpoint, rounds)));
    return results;
  } finally {
    await endpoint.stop();
  }
}

async function measureGrowth(
  { title, ...cases }: Growth,
  { url, name }: NoOpEndpoint,
  rounds: number,
): Promise<readonly Result[]> {
  const stages = { small: await Stage.start(), large: await Stage.start() };
  const contender = async (size: 'small' | 'large') => ({
    ...(await cases[size].begin(stages[size], url)),
    name: cases[size].name,
    service: stages[size].service,
    store: stages[size].store,
  });
  try {
    const measured = await measure([await contender('small'), await contender('large')], rounds);
    const [small, large] = measured;
    if (small === undefined || large === undefined) return [];
    const memory = (size: 'small' | 'large') => ({
      name: `memory, ${size === 'small' ? small.name : large.name}`,
      unit: 'MB',
      values: [stages[size].service.memory / MEGABYTE],
    });
    const times = (quantity: string, values: readonly number[]) => ({
      name: quantity,
      unit: 'times',
      values,
      most: MOST,
    });
    return [
      noted(`the endpoint is ${name}`, result(`Processing with more ${title}`, 'jobs/s', measured)),
      figures(`More ${title}: per job, against ${small.name}; memory of the service`, [
        times('time', ratios(small, large)),
        times("service's processor time", ratios(large, small, 'service')),
        times("Redis's processor time", ratios(large, small, 'store')),
        memory('small'),
        memory('large'),
      ]),
    ];
  } finally {
    await Promise.all([stages.small.stop(), stages.large.stop()]);
  }
}
