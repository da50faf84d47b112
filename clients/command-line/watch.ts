import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from './command.ts';
import type { Invocation } from './invocation.ts';
import { isPassing, refusalOf } from './service/refusal.ts';

/** Milliseconds between two runs. */
const INTERVAL = 2000;

/** Repeats a command until Ctrl-C. Outages are reported and do not end it. */
export async function watch(command: Command, call: Invocation): Promise<void> {
  const end = new AbortController();
  process.once('SIGINT', () => end.abort());
  while (!end.signal.aborted) {
    try {
      await command.run(call);
    } catch (error) {
      if (!isPassing(error)) throw error;
      call.terminal.report(`jobgate: ${await refusalOf(error, call)}`);
    }
    await sleep(INTERVAL, undefined, { signal: end.signal }).catch(() => undefined);
  }
}
