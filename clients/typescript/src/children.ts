import type { FlowChild } from './api.ts';
import type { Children } from './context.ts';
import type { JobgateError } from './errors.ts';
import { at } from './routes.ts';
import type { Transport } from './transport.ts';

/**
 * All children of a job. A call carries as many as fit; their values are complete, regardless of the rights of the API
 * token.
 *
 * @param carried undefined for a job whose call cannot carry any.
 * @param transport undefined without an API token.
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
    // A token without the right to read them does not affect those that the call carried.
    if (carried && (error as JobgateError).status >= 400 && (error as JobgateError).status < 500) {
      return carried;
    }
    throw error;
  }
}
