import { GROUP_STARTS } from './group-keys.ts';

/** The keys of the latest starts of a group, in which no colon separates anything (groups/group-starts, attempts/starts). */
export function groupStartsKeys(jobPrefix: string, group: string): readonly string[] {
  const starts = `${jobPrefix}${GROUP_STARTS}${group.replaceAll(':', '\u0001')}`;
  return [starts, `${starts}\u007f`];
}
