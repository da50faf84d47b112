import type { RestClient } from './rest-client.ts';
import type { Screen } from './screen.ts';

interface Page {
  readonly queues: readonly {
    readonly name: string;
    readonly counts: Readonly<Record<string, number>>;
  }[];
}

/** The states that are shown, in this order. */
const STATES = ['waiting', 'delayed', 'active', 'completed', 'failed'];

/**
 * Greets whoever starts the demo again with what its folder has kept.
 *
 * @returns whether it has kept anything.
 */
export async function greet(jobgate: RestClient, screen: Screen, folder: string): Promise<boolean> {
  const { queues } = (await jobgate.call('GET', '/queues')) as Page;
  if (queues.length === 0) return false;
  screen.title(`Welcome back. ${folder} has kept the jobs of last time:`);
  for (const { name, counts } of queues) {
    const shown = STATES.filter((state) => (counts[state] ?? 0) > 0);
    screen.entry(name, shown.map((state) => `${counts[state]} ${state}`).join(', '));
  }
  return true;
}
