import type { BenchOptions } from '../bench-options.ts';
import { benchSize } from '../embedded/size.ts';
import { benchSlowDisk, benchSpeed } from '../embedded/speed.ts';
import type { Result } from '../report.ts';

/** STORE=embedded beside STORE=memory of the same build: speed, a slow disk, and the size of what is kept. */
export async function benchEmbedded(
  rounds: number,
  { jobs = 1_000_000 }: BenchOptions,
): Promise<readonly Result[]> {
  return [
    ...(await benchSpeed(rounds)),
    ...(await benchSlowDisk(rounds)),
    ...(await benchSize(rounds, jobs)),
  ];
}
