import type { Members } from '../wire/members.ts';
import { missingParameter, SqsError } from '../wire/sqs-error.ts';

const MOST_ENTRIES = 10;

/** An entry of a batch, whose id names its result. */
export interface BatchEntry {
  readonly id: string;
  readonly members: Members;
}

/**
 * The entries of a batch.
 *
 * @param kind how errors name an entry.
 * @throws SqsError for the whole batch: when it is empty, has too many entries, or their ids cannot name results.
 */
export function batchEntries(members: Members, kind: string): readonly BatchEntry[] {
  const structures = members.structures('Entries', kind) ?? [];
  if (structures.length === 0) {
    throw new SqsError('EmptyBatchRequest', `There should be at least one ${kind} in the request.`);
  }
  if (structures.length > MOST_ENTRIES) {
    throw new SqsError(
      'TooManyEntriesInBatchRequest',
      `Maximum number of entries per request are ${MOST_ENTRIES}. You have sent ${structures.length}.`,
    );
  }
  const entries = structures.map((entry, index) => {
    const id = entry.text('Id');
    if (id === undefined) throw missingParameter(`${kind}.${index + 1}.Id`);
    return { id, members: entry };
  });
  if (!entries.every(({ id }) => /^[A-Za-z0-9_-]{1,80}$/.test(id))) {
    throw new SqsError(
      'InvalidBatchEntryId',
      'A batch entry id can only contain alphanumeric characters, hyphens and underscores. ' +
        'It can be at most 80 letters long.',
    );
  }
  const seen = new Set<string>();
  for (const { id } of entries) {
    if (seen.has(id)) throw new SqsError('BatchEntryIdsNotDistinct', `Id ${id} repeated.`);
    seen.add(id);
  }
  return entries;
}

/** The results of entries that succeeded or failed each by itself, in their order. SDKs read an absent list as an empty one. */
export function batchResult(
  entries: readonly BatchEntry[],
  results: readonly (object | SqsError)[],
): object {
  const [Successful, Failed]: [object[], object[]] = [[], []];
  for (const [index, { id: Id }] of entries.entries()) {
    const result = results[index];
    if (result instanceof SqsError) {
      const { isOfSender: SenderFault, code: Code, message: Message } = result;
      Failed.push({ Id, SenderFault, Code, Message });
    } else if (result !== undefined) Successful.push({ Id, ...result });
  }
  return { Successful, Failed };
}
