import { MAX_EVENT_VALUE } from '../../../../domain/queue-event.ts';

/**
 * Stands in an event for a value that is too long. BullMQ's own clients parse what an event carries, and read it as
 * null; no value is written like this.
 */
export const LEFT_OUT = ' null';

/** Lua: the text in a variable, cut between two characters when it is longer than an event may tell. */
export function cutText(variable: string): string {
  return `string.gsub(string.sub(${variable}, 1, ${MAX_EVENT_VALUE}), "[\\192-\\255][\\128-\\191]*$", "")`;
}
