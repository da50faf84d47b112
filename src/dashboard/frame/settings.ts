import { Preference } from './preference.ts';

/** In which zone times are written. */
export const zone = new Preference('zone', ['local', 'UTC']);

/** Whether pages show what clients put into jobs, or only once somebody asks for it. */
export const payloads = new Preference('payloads', ['shown', 'hidden']);

/** Whether lists of jobs show the beginning of the data of each. */
export const listedData = new Preference('listed-data', ['size', 'beginning']);

/** The least time between two reads of a page that follows what happens. */
export const pace = new Preference('pace', ['2 s', '5 s', '15 s']);

/** The `pace` in milliseconds. */
export function paceTime(): number {
  return Number.parseInt(pace.value, 10) * 1000;
}
