import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Target } from './load.ts';
import type { Costly } from './measure.ts';
import { costOf } from './server-process.ts';

/** A service that the bench did not start; its costs are known where its processes are. */
export interface OtherService {
  readonly target: Target;
  readonly service?: Costly;
  readonly store?: Costly;
}

/** What the command line asks for. */
export interface BenchOptions {
  /** The scenarios, empty for all. */
  readonly names: readonly string[];
  /** How often each is measured; as often as the scenario says unless given. */
  readonly rounds?: number;
  /** A file for the figures. */
  readonly json?: string;
  /** Another service with the same routes, to measure beside this one. */
  readonly other?: OtherService;
  /** The folder of another checkout, built, whose service is measured beside this one. */
  readonly before?: string;
  /** Of the attacks of `hostile`, the stores of `capacity`, the cases of `held` and the parts of `steps`, those whose names contain this. */
  readonly only?: string;
  /** The store that `hostile`, `full`, `held` and `steps` use; all of theirs without. */
  readonly store?: string;
  /** How many jobs the folders of `embedded` hold, and how many of `steps` rest. */
  readonly jobs?: number;
}

export const OPTIONS_USAGE =
  '[--rounds N] [--json FILE] [--before FOLDER] [--only TEXT] [--store NAME] [--jobs N] ' +
  '[--other URL] [--other-token TOKEN] [--other-pid PID] [--other-store-pid PID]';

/** @throws Error that says what is wrong with the command line. */
export function benchOptions(): BenchOptions {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string' },
      json: { type: 'string' },
      before: { type: 'string' },
      only: { type: 'string' },
      store: { type: 'string' },
      jobs: { type: 'string' },
      other: { type: 'string' },
      'other-token': { type: 'string', default: '' },
      'other-pid': { type: 'string' },
      'other-store-pid': { type: 'string' },
    },
  });
  const rounds = count('--rounds', values.rounds);
  const jobs = count('--jobs', values.jobs);
  const { json, other, before, only, store } = values;
  if (before !== undefined && !existsSync(join(before, 'dist/main.js')))
    throw new Error('--before must be the folder of a checkout in which npm run build was run');
  return {
    names: positionals,
    ...(rounds !== undefined && { rounds }),
    ...(json !== undefined && { json }),
    ...(before !== undefined && { before }),
    ...(only !== undefined && { only }),
    ...(store !== undefined && { store }),
    ...(jobs !== undefined && { jobs }),
    ...(other !== undefined && {
      other: {
        target: target(other, values['other-token']),
        ...cost('service', values['other-pid']),
        ...cost('store', values['other-store-pid']),
      },
    }),
  };
}

function count(option: string, text: string | undefined): number | undefined {
  const number = text === undefined ? undefined : Number(text);
  if (number !== undefined && !(Number.isInteger(number) && number >= 1)) {
    throw new Error(`${option} must be 1 or more`);
  }
  return number;
}

function cost(of: 'service' | 'store', pid: string | undefined): Partial<OtherService> {
  if (pid === undefined) return {};
  if (!existsSync(`/proc/${pid}/stat`)) throw new Error(`There is no process ${pid}`);
  return { [of]: costOf(Number(pid)) };
}

function target(text: string, token: string): Target {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:') throw new Error('--other must be a URL that begins with http://');
  return { host: url.hostname, port: Number(url.port || 80), token };
}
