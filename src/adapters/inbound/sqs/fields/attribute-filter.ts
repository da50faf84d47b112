import { invalidParameter } from '../wire/sqs-error.ts';
import type { MessageAttributes } from './message-attributes.ts';

const MAX_LENGTH = 256;

/** The attributes that a receive asks for: by names, by what their names begin with (`trace.*`), or all. */
export function chosenAttributes(
  attributes: MessageAttributes | undefined,
  asked: readonly string[] | undefined,
): MessageAttributes | undefined {
  if (attributes === undefined || asked === undefined) return undefined;
  const entries = Object.entries(attributes).filter(([name]) =>
    asked.some((each) => isAskedFor(name, each)),
  );
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** @throws SqsError `InvalidParameterValue` for what cannot be the name of an attribute. */
export function checkAskedFor(asked: readonly string[] | undefined): void {
  for (const name of asked ?? []) {
    if (name.length <= MAX_LENGTH && name !== '') continue;
    throw invalidParameter(`The message attribute name '${name.slice(0, MAX_LENGTH)}' is invalid.`);
  }
}

function isAskedFor(name: string, asked: string): boolean {
  if (asked === 'All' || asked === '.*') return true;
  return asked.endsWith('.*') ? name.startsWith(asked.slice(0, -2)) : name === asked;
}
