import { setTimeout as sleep } from 'node:timers/promises';
import { JobgateError } from 'jobgate-client';
import type { Command } from './command.ts';
import type { Invocation } from './invocation.ts';
import { refusalOf } from './service/refusal.ts';

/** Milliseconds between two runs. */
const INTERVAL = 2000;

/** These errors may be gone at the next run. */
const PASSING = [0, 429, 503];

/** Repeats a command until Ctrl-C. Outages are reported and do not end it. */
export async function watch(command: Command, call: Invocation): Promise<void> {
  const end = new AbortController();
  process.once('SIGINT', () => end.abort());
  while (!end.signal.aborted) {
    try {
      await command.run(call);
    } catch (error) {
      if (!(error instanceof JobgateError) || !PASSING.includes(error.status)) throw error;
      call.terminal.report(`jobgate: ${await refusalOf(error, call)}`);
    }
    await sleep(INTERVAL, undefined, { signal: end.signal }).catch(() => undefined);
  }
}
