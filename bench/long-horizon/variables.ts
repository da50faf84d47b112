import { readFileSync } from 'node:fs';
import process from 'node:process';

/** What the harness orders by the environment. */
export const ordered = {
  databaseUri: required('DATABASE_URL'),
  scenario: process.env['SCENARIO'] ?? 'long_horizon',
  /** Of several processes, the first one reports what concerns all. */
  instance: number('BENCH_INSTANCE_ID', 0),
  isPacedByDepth: process.env['PRODUCER_MODE'] === 'depth-target',
  targetDepth: number('TARGET_DEPTH', 1000),
  workers: number('WORKER_COUNT', 32),
  payloadBytes: number('JOB_PAYLOAD_BYTES', 256),
  /** How long (ms) a job takes. */
  workTime: number('JOB_WORK_MS', 1),
  /** Seconds. */
  sampleEvery: number('SAMPLE_EVERY_S', 5),
  batch: { most: number('PRODUCER_BATCH_MAX', 128), every: number('PRODUCER_BATCH_MS', 10) },
};

/** How many jobs are wanted each second now: the harness may change it in a file. */
export function wantedRate(): number {
  const rate = number('PRODUCER_RATE', 800);
  const file = process.env['PRODUCER_RATE_CONTROL_FILE'];
  if (file === undefined) return rate;
  try {
    const read = Number.parseFloat(readFileSync(file, 'utf8'));
    return Number.isFinite(read) ? read : rate;
  } catch {
    return rate;
  }
}

function number(name: string, usual: number): number {
  const value = Number(process.env[name]);
  return process.env[name] === undefined || !Number.isFinite(value) ? usual : value;
}

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} must be set`);
  return value;
}
