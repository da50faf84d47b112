import { Preference } from './preference.ts';

/** The zone of the times that are shown. */
export const zone = new Preference('zone', ['local', 'UTC']);

/** Whether pages show the data of jobs at once, or only on request. */
export const payloads = new Preference('payloads', ['shown', 'hidden']);

/** Whether lists of jobs show the beginning of the data of each job. */
export const listedData = new Preference('listed-data', ['size', 'beginning']);

/** The least time between two reads of a page that updates by itself. */
export const pace = new Preference('pace', ['2 s', '5 s', '15 s']);

/** The `pace` in milliseconds. */
export function paceTime(): number {
  return Number.parseInt(pace.value, 10) * 1000;
}
