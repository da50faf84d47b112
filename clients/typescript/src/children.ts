import type { Children } from './context.ts';
import { JobgateError } from './errors.ts';
import type { Transport } from './transport.ts';

/**
 * All children of a job. A call carries as many as fit; those that it carries are whole, whatever the API token may see.
 *
 * @param carried undefined for a job whose call cannot carry any.
 * @param transport undefined where there is no API token.
 */
export async function allChildren(
  carried: Children | undefined,
  transport: Transport | undefined,
  queue: string,
  id: string,
): Promise<Children> {
  if (transport === undefined) {
    if (carried !== undefined) return carried;
    throw new Error(
      'A call without an envelope carries no children: set JOBGATE_TOKEN to read them',
    );
  }
  const path = `/queues/${encodeURIComponent(queue)}/jobs/${encodeURIComponent(id)}/children`;
  try {
    const all = (await transport.call('GET', path)).body as Children;
    const keyOf = (child: Children[number]): string =>
      JSON.stringify([child['queue'], child['id']]);
    const whole = new Map(carried?.map((child) => [keyOf(child), child]));
    return all.map((child) => whole.get(keyOf(child)) ?? child);
  } catch (error) {
    const isRefused = error instanceof JobgateError && error.status >= 400 && error.status < 500;
    if (carried === undefined || !isRefused) throw error;
    return carried;
  }
}
