import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Target } from './load.ts';

/** What the command line asks for. */
export interface BenchOptions {
  /** The scenarios, empty for all. */
  readonly names: readonly string[];
  readonly rounds: number;
  /** A file for the figures. */
  readonly json?: string;
  /** Another service with the same routes, to measure beside this one. */
  readonly other?: Target;
  /** The folder of another checkout, built, whose service is measured beside this one. */
  readonly before?: string;
}

export const OPTIONS_USAGE =
  '[--rounds 5] [--json FILE] [--before FOLDER] [--other URL] [--other-token TOKEN]';

/** @throws Error that says what is wrong with the command line. */
export function benchOptions(): BenchOptions {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '5' },
      json: { type: 'string' },
      before: { type: 'string' },
      other: { type: 'string' },
      'other-token': { type: 'string', default: '' },
    },
  });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be 1 or more');
  const { json, other, before } = values;
  if (before !== undefined && !existsSync(join(before, 'dist/main.js')))
    throw new Error('--before must be the folder of a checkout in which npm run build was run');
  return {
    names: positionals,
    rounds,
    ...(json !== undefined && { json }),
    ...(before !== undefined && { before }),
    ...(other !== undefined && { other: target(other, values['other-token']) }),
  };
}

function target(text: string, token: string): Target {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:') throw new Error('--other must be a URL that begins with http://');
  return { host: url.hostname, port: Number(url.port || 80), token };
}
