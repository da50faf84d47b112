import type { FlowChild } from './api.ts';
import type { Children } from './context.ts';
import type { JobgateError } from './errors.ts';
import { at } from './routes.ts';
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
  try {
    const { body } = await transport.call('GET', `/queues${at(queue)}/jobs${at(id)}/children`);
    const keyOf = (child: FlowChild): string => JSON.stringify([child.queue, child.id]);
    const whole = new Map(carried?.map((child) => [keyOf(child), child]));
    return (body as Children).map((child) => whole.get(keyOf(child)) ?? child);
  } catch (error) {
    // A token that may not read them changes nothing of those that came.
    if (carried && (error as JobgateError).status >= 400 && (error as JobgateError).status < 500) {
      return carried;
    }
    throw error;
  }
}
