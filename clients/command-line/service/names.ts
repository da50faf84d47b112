import type { Invocation } from '../invocation.ts';

/** How many names, or ids, are searched for the one that was meant: a page of each. */
const [NAMES, IDS] = [1000, 100];

/** Where what is missing is listed, by the error code of the answer. */
const LISTS: Readonly<Record<string, (queue: string) => string>> = {
  'scheduler-not-found': (queue) => `/schedulers?queues=${encodeURIComponent(queue)}`,
  'group-not-found': (queue) => `/queues/${encodeURIComponent(queue)}/groups?`,
};

/** The ids of what is listed beside a thing that is missing; empty when they cannot be read. */
export async function idsBeside(code: string, call: Invocation): Promise<readonly string[]> {
  const path = LISTS[code]?.(call.queue);
  if (path === undefined) return [];
  try {
    const page = await call.request<object>('GET', `${path}&length=${IDS}`);
    const lists = Object.values(page).filter(Array.isArray) as (readonly { id: string }[])[];
    return lists.flat().map(({ id }) => id);
  } catch {
    return [];
  }
}

/** The names of queues; empty when they cannot be read. */
export async function queueNames({ jobgate }: Invocation): Promise<readonly string[]> {
  try {
    const { queues } = await jobgate.queues({ length: NAMES });
    return (queues as readonly { name: string }[]).map(({ name }) => name);
  } catch {
    return [];
  }
}
