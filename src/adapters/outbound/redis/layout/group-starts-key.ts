import { GROUP_STARTS } from './group-keys.ts';

/** The key of the latest starts of a group, in which no colon separates anything (groups/group-terms). */
export function groupStartsKey(jobPrefix: string, group: string): string {
  return `${jobPrefix}${GROUP_STARTS}${group.replaceAll(':', '\u0001')}`;
}
