import type { DomainError } from '../../../../domain/errors.ts';
import { batchResult, type BatchEntry } from '../fields/batch-entries.ts';
import { domainFailure } from '../wire/domain-failure.ts';
import type { Members } from '../wire/members.ts';
import { SqsError } from '../wire/sqs-error.ts';

type Refused = { readonly kind: 'refused'; readonly error: DomainError };

/** How messages, or receipts of some, are handled each by itself. */
export interface EachMessage<Input, Done extends { readonly kind: string }> {
  /** @throws SqsError */
  readonly parse: (members: Members) => Input;
  /** @param tried all of them, with the errors of those that could not be parsed. */
  readonly run: (
    inputs: readonly Input[],
    tried: readonly (Input | SqsError)[],
  ) => Promise<readonly (Done | Refused)[]>;
  /** Returns the fields of the answer for a message that was not refused; it has none when this is absent. */
  readonly result?: (done: Done, input: Input) => object;
  /** The error for one that was refused, where it is another than everywhere. */
  readonly failure?: (error: DomainError) => SqsError | undefined;
}

/** Handles the one message of a request. @throws SqsError */
export async function alone<Input extends object, Done extends { readonly kind: string }>(
  members: Members,
  each: EachMessage<Input, Done>,
): Promise<object> {
  const input = each.parse(members);
  const [outcome] = await each.run([input], [input]);
  const result = resultOf(outcome, input, each);
  if (result instanceof SqsError) throw result;
  return result;
}

/** Handles the messages of a batch. */
export async function inBatch<Input extends object, Done extends { readonly kind: string }>(
  entries: readonly BatchEntry[],
  each: EachMessage<Input, Done>,
): Promise<object> {
  const tried = entries.map(({ members }) => parsed(members, each));
  const inputs = tried.filter((input): input is Input => !(input instanceof SqsError));
  const outcomes = (await each.run(inputs, tried)).values();
  const results = tried.map((input) =>
    input instanceof SqsError ? input : resultOf(outcomes.next().value, input, each),
  );
  return batchResult(entries, results);
}

function parsed<Input>(
  members: Members,
  { parse }: Pick<EachMessage<Input, never>, 'parse'>,
): Input | SqsError {
  try {
    return parse(members);
  } catch (error) {
    if (error instanceof SqsError) return error;
    throw error;
  }
}

function resultOf<Input, Done extends { readonly kind: string }>(
  outcome: Done | Refused | undefined,
  input: Input,
  { result = () => ({}), failure }: EachMessage<Input, Done>,
): object | SqsError {
  if (outcome === undefined) throw new Error('A message was handled without an outcome');
  if (!isRefused(outcome)) return result(outcome, input);
  const { error } = outcome;
  const known = failure?.(error) ?? domainFailure(error);
  if (known === undefined) throw error;
  return known;
}

function isRefused(outcome: { readonly kind: string }): outcome is Refused {
  return outcome.kind === 'refused';
}
