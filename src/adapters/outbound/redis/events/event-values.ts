import { MAX_EVENT_VALUE } from '../../../../domain/events/queue-event.ts';

/**
 * Replaces a value that is too long for an event. BullMQ's own clients parse the values of events and read this one
 * as null; no serialized value has this form.
 */
export const LEFT_OUT = ' null';

/** Lua: the text in a variable, cut between two characters when it is longer than an event may carry. */
export function cutText(variable: string): string {
  return `string.gsub(string.sub(${variable}, 1, ${MAX_EVENT_VALUE}), "[\\192-\\255][\\128-\\191]*$", "")`;
}
