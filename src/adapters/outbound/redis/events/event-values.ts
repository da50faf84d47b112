import { MAX_EVENT_VALUE } from '../../../../domain/events/queue-event.ts';

export { LEFT_OUT } from '../layout/event-values.ts';

/** Lua: the text in a variable, cut between two characters when it is longer than an event may carry. */
export function cutText(variable: string): string {
  return `string.gsub(string.sub(${variable}, 1, ${MAX_EVENT_VALUE}), "[\\192-\\255][\\128-\\191]*$", "")`;
}
