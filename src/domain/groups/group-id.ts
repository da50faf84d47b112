import { printableText } from '../values/printable-text.ts';

/** The group of jobs without one. It takes turns like any other, but has no settings. */
export const NO_GROUP = '';

/** The id of a group, as clients choose it: that of a customer, a tenant or a device. */
export const groupIdShape = printableText(128, 'acme');
