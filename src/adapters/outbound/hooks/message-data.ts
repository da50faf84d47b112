import { parsedJson } from '../../../domain/values/json.ts';
import { messagePage } from './dashboard-links.ts';
import { type HookMessage, type JobMessage } from '../../../domain/hooks/hook-message.ts';

/**
 * The `data` of a message in the formats of our own (reach contract, section 17).
 *
 * @param hook the id of the hook that sends it.
 */
export function messageData(
  message: HookMessage,
  hook: string,
  publicUrl: string | undefined,
): object {
  switch (message.kind) {
    case 'condition': {
      const { queues, more, threshold } = message;
      return { hook, queues, more, threshold, ...linksTo(message, publicUrl) };
    }
    case 'job': {
      const { queue, job, attempts } = message;
      return { hook, queue, job, ...resultOf(message), attempts };
    }
    case 'missed': {
      const { queue, scheduler, slot } = message;
      return { hook, queue, scheduler, slot, ...linksTo(message, publicUrl) };
    }
    case 'failing': {
      const { failing, delivery, reason } = message;
      return { hook, failing, delivery, reason };
    }
    case 'test':
      return { hook };
  }
}

function linksTo(message: HookMessage, publicUrl: string | undefined): object {
  return publicUrl === undefined ? {} : { links: { dashboard: messagePage(publicUrl, message) } };
}

function resultOf({ type, value, valueSize }: JobMessage): object {
  if (type !== 'job.completed') return { failedReason: value };
  if (value === null) return { returnvalueSize: valueSize };
  // Native clients may have stored anything as a return value.
  const returnvalue = parsedJson(value);
  return { returnvalue: returnvalue === undefined ? value : returnvalue };
}
