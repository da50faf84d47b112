import { NO_BATCHES, SUSPENDS } from '../steps/suspend-answer.ts';
import { deliveryOutcome, type EndpointAnswer } from '../calls/delivery.ts';
import type { Endpoint } from '../calls/endpoint.ts';
import { DomainError } from '../errors.ts';
import { reportedCost, reportedCostShape } from '../queues/start-cost.ts';
import { checkShape } from '../values/check-shape.ts';
import { isObject, type Json } from '../values/json.ts';
import { MAX_REASON_BYTES } from '../values/reason.ts';
import {
  anyJson,
  boolean,
  integer,
  object,
  oneOf,
  optional,
  required,
  string,
  text,
  type Shape,
} from '../values/shape.ts';
import { cutToBytes, trimmed } from '../values/text.ts';

/** What an answer reports about one job of its call. `delay` is in ms. */
export type ItemOutcome = ItemEnd & {
  /** What the start of its attempt counted in limiters, if the answer says so. */
  readonly cost?: number;
};

type ItemEnd =
  | { readonly status: 'completed'; readonly value: Json }
  | {
      readonly status: 'failed';
      readonly reason: string;
      readonly retry: boolean;
      readonly delay?: number | undefined;
    }
  | { readonly status: 'deferred'; readonly reason: string; readonly delay: number };

/**
 * What an answer means for the jobs of its call. `failed`: all of them failed. `isWhole` when the call itself failed,
 * rather than only its answer, so that smaller calls may succeed.
 */
export type BatchOutcome =
  | { readonly kind: 'items'; readonly of: ReadonlyMap<string, ItemOutcome> }
  | { readonly kind: 'failed'; readonly reason: string; readonly isWhole: boolean };

/** The result of a job that an answer does not mention. */
export const NOT_NAMED: ItemOutcome = { status: 'completed', value: null };

const id = text('be a string that is not empty', (value) => value !== '');

const resultShape = object('BatchResult', {
  id: required(id, 'The id of the job'),
  status: required(oneOf('completed', 'failed', 'deferred'), 'The outcome of the job'),
  value: optional(anyJson, 'The return value of a completed job'),
  reason: optional(string, 'Why it failed or is deferred'),
  retry: optional(boolean, 'Whether another attempt may follow; true unless given'),
  delay: optional(integer(0), 'Milliseconds before that'),
  cost: optional(reportedCostShape, 'What the start of its attempt counts in limiters'),
});

const itemFailureShape = object('BatchItemFailure', {
  itemIdentifier: required(id, 'The id of the job'),
});

/** An answer that violates the contract; its message explains how. */
class WrongAnswer extends Error {}

/**
 * Reads the answer to a call for several jobs (platform contract, section 14).
 *
 * @param ids of the jobs of the call.
 */
export function batchOutcome(
  answer: EndpointAnswer,
  endpoint: Pick<Endpoint, 'success' | 'steps'>,
  ids: ReadonlySet<string>,
): BatchOutcome {
  if (endpoint.steps === true && answer.status === SUSPENDS) {
    return { kind: 'failed', reason: NO_BATCHES, isWhole: true };
  }
  const outcome = deliveryOutcome(answer, endpoint);
  if (!outcome.succeeded) return { kind: 'failed', reason: outcome.reason, isWhole: true };
  if (outcome.doubt !== undefined) {
    return failedAnswer('The answer says that it is JSON and cannot be read as such');
  }
  try {
    return { kind: 'items', of: itemsOf(outcome.returnvalue, ids) };
  } catch (error) {
    if (error instanceof WrongAnswer || error instanceof DomainError) {
      return failedAnswer(`The answer to the batch is wrong: ${error.message}`);
    }
    throw error;
  }
}

function failedAnswer(reason: string): BatchOutcome {
  return { kind: 'failed', reason: cutToBytes(reason, MAX_REASON_BYTES), isWhole: false };
}

function itemsOf(answer: Json, ids: ReadonlySet<string>): ReadonlyMap<string, ItemOutcome> {
  if (!isObject(answer)) return new Map();
  const { results, batchItemFailures } = answer;
  if (results !== undefined && results !== null) {
    return collected(results, 'results', resultShape, ids, (item) => [item.id, resultOf(item)]);
  }
  if (batchItemFailures === undefined || batchItemFailures === null) return new Map();
  return collected(batchItemFailures, 'batchItemFailures', itemFailureShape, ids, (item) => [
    item.itemIdentifier,
    { status: 'failed', reason: 'The endpoint named it in batchItemFailures', retry: true },
  ]);
}

function collected<Item>(
  list: unknown,
  field: string,
  shape: Shape<Item>,
  ids: ReadonlySet<string>,
  read: (item: Item) => readonly [id: string, outcome: ItemOutcome],
): ReadonlyMap<string, ItemOutcome> {
  if (!Array.isArray(list)) throw new WrongAnswer(`${field} must be an array`);
  const found = new Map<string, ItemOutcome>();
  for (const [index, item] of (list as unknown[]).entries()) {
    const path = `${field}[${index}]`;
    checkShape(shape, item, path);
    const [of, outcome] = read(item as Item);
    if (!ids.has(of)) throw new WrongAnswer(`${path} names ${of}, which is no job of the call`);
    if (found.has(of)) throw new WrongAnswer(`${path} names ${of} again`);
    found.set(of, outcome);
  }
  return found;
}

function resultOf({
  status,
  value = null,
  reason = '',
  retry = true,
  delay,
  cost: given,
}: {
  readonly status: ItemOutcome['status'];
  readonly value?: Json;
  readonly reason?: string;
  readonly retry?: boolean;
  readonly delay?: number;
  readonly cost?: Json;
}): ItemOutcome {
  const reported = reportedCost(given);
  const cost = reported !== undefined && { cost: reported };
  const said = cutToBytes(trimmed(reason), MAX_REASON_BYTES);
  switch (status) {
    case 'completed':
      return { status, value, ...cost };
    case 'failed':
      return { status, reason: said || 'The endpoint gave no reason', retry, delay, ...cost };
    case 'deferred':
      return { status, reason: said || 'Deferred by the endpoint', delay: delay ?? 0, ...cost };
  }
}
