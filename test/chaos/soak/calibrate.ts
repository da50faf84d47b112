import { setTimeout as sleep } from 'node:timers/promises';
import type { Play } from '../support/play.ts';
import type { Replicas } from '../support/replicas.ts';

/** Clients that add jobs one by one, each as fast as it is answered. */
const CLIENTS = 16;

/** Jobs that may wait while more are added: what counts is what is processed. */
const BACKLOG = 500;

/** Resolves to the jobs per second that are added over HTTP and processed when there is no limit. */
export async function capacity(play: Play, replicas: Replicas, seconds: number): Promise<number> {
  const { client, ledger } = play;
  const end = performance.now() + seconds * 1000;
  const before = ledger.distinctCalls;
  const addOnAndOn = async (): Promise<void> => {
    while (performance.now() < end) {
      if (ledger.numbersGiven - ledger.distinctCalls > BACKLOG) await sleep(5);
      else await client.add(replicas.next);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, addOnAndOn));
  return (ledger.distinctCalls - before) / seconds;
}
