import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import type { StoreCommands } from '../connection/store-commands.ts';

/** How many names one command reads, in two milliseconds at most. */
const NAMES_PER_READ = 5000;

/** The names in the registry, including those of queues that others have since removed. */
export async function listedQueues(store: StoreCommands): Promise<readonly QueueName[]> {
  const { registry } = store.all;
  const listed: QueueName[] = [];
  for (let start = '-'; ; start = `(${listed.at(-1) ?? ''}`) {
    const names = await store.run((client) =>
      client.zrangebylex(registry, start, '+', 'LIMIT', 0, NAMES_PER_READ),
    );
    for (const name of names) listed.push(name as QueueName);
    if (names.length < NAMES_PER_READ) return listed;
  }
}
