/** One thing to measure, such as "add one by one with BullMQ". */
export interface Contender {
  readonly name: string;
  /** Does the work once and returns how many units of it were done. */
  readonly run: () => Promise<number>;
}

export interface Measured {
  readonly name: string;
  /** Units per second, one for each round. */
  readonly rates: readonly number[];
  readonly median: number;
}

/**
 * Runs the contenders in turn, round after round, so that a machine whose speed drifts treats them
 * alike. The first round warms up and does not count.
 */
export async function measure(
  contenders: readonly Contender[],
  rounds: number,
): Promise<readonly Measured[]> {
  const rates = new Map(contenders.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, run } of contenders) {
      const start = performance.now();
      const units = await run();
      const rate = units / ((performance.now() - start) / 1000);
      if (round > 0) rates.get(name)?.push(rate);
    }
  }
  return contenders.map(({ name }) => {
    const measured = rates.get(name) ?? [];
    return { name, rates: measured, median: median(measured) };
  });
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}
