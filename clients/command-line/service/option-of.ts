import type { Invocation } from '../invocation.ts';

/** The options for fields with a different name; the first that is given was meant. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  id: ['group'],
  jobId: ['id'],
  length: ['limit'],
  maxWaiting: ['max-waiting'],
  olderThan: ['older-than'],
  start: ['skip'],
  status: ['http-status'],
  statuses: ['state'],
  window: ['latest', 'within'],
};

/** Arguments that are fields of a body. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  for: 'The time',
  'endpoint.url': 'The URL',
};

/** A field of the query, of the body, or of what options describe in it. */
const FIELD =
  /^(?:\[0\]\.opts\.(?:group\.)?|endpoint\.|opts\.|repeat\.|job\.|filter\.)?(\w+)(?:\[\d+\]|\.url)?$/;

/** What a person gave for a field of the request: an option, or an argument in words. Undefined for neither. */
export function optionOf(field: string, call: Invocation): string | undefined {
  if (ARGUMENTS[field] !== undefined) return ARGUMENTS[field];
  const [, name = ''] = FIELD.exec(field) ?? [];
  const option = (OPTIONS[name] ?? [name]).find((each) => call.has(each));
  return option === undefined ? undefined : `--${option}`;
}
