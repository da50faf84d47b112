/** A process that knows what it has used so far, in milliseconds of processor time. */
export interface Costly {
  readonly processorTime: number;
}

/** One thing to measure, such as "add one by one with BullMQ". */
export interface Contender {
  readonly name: string;
  /** Does the work once and returns how many units of it were done. */
  readonly run: () => Promise<number>;
  /** What comes before and after each time, and is not measured. */
  readonly before?: () => Promise<unknown>;
  readonly after?: () => Promise<unknown>;
  /** The process that does the work, and the store that it works on. */
  readonly service?: Costly;
  readonly store?: Costly;
}

/** What one round found out. */
export interface Round {
  /** Units per second. */
  readonly rate: number;
  /** Microseconds of processor time per unit. */
  readonly service?: number;
  readonly store?: number;
}

export interface Measured {
  readonly name: string;
  readonly rounds: readonly Round[];
}

/**
 * Runs the contenders in turn, round after round, each second round in reverse, so that a machine whose speed drifts,
 * or what one contender leaves to the next, treats them alike. The first round warms up and does not count.
 */
export async function measure(
  contenders: readonly Contender[],
  rounds: number,
): Promise<readonly Measured[]> {
  const measured = contenders.map((contender) => ({ contender, rounds: [] as Round[] }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const { contender, rounds: found } of round % 2 === 0 ? measured : measured.toReversed()) {
      const figures = await runOnce(contender);
      if (round > 0) found.push(figures);
    }
  }
  return measured.map(({ contender, rounds: found }) => ({ name: contender.name, rounds: found }));
}

async function runOnce({ before, run, after, service, store }: Contender): Promise<Round> {
  await before?.();
  const used = [service?.processorTime, store?.processorTime];
  const start = performance.now();
  const units = await run();
  const rate = units / ((performance.now() - start) / 1000);
  const perUnit = (process: Costly, earlier = 0): number =>
    ((process.processorTime - earlier) * 1000) / units;
  const round = {
    rate,
    ...(service !== undefined && { service: perUnit(service, used[0]) }),
    ...(store !== undefined && { store: perUnit(store, used[1]) }),
  };
  await after?.();
  return round;
}

/** The ratios of one quantity to that of a baseline, round by round. */
export function ratios(
  { rounds }: Measured,
  baseline: Measured | undefined,
  quantity: keyof Round = 'rate',
): readonly number[] {
  return rounds.map(
    (round, index) =>
      (round[quantity] ?? Number.NaN) / (baseline?.rounds[index]?.[quantity] ?? Number.NaN),
  );
}

/** The ratios of what the service and the store use together to that of a baseline, round by round. */
export function costRatios(measured: Measured, baseline: Measured | undefined): readonly number[] {
  const whole = ({ rounds, name }: Measured): Measured => ({
    name,
    rounds: rounds.map(({ service = 0, store = 0, rate }) => ({ rate, service: service + store })),
  });
  return ratios(whole(measured), baseline && whole(baseline), 'service');
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}
