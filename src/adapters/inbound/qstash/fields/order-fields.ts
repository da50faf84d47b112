import type { ChosenPushes } from '../../../../application/pushes/pushed-messages.ts';
import { invalidRequest } from '../../../../domain/errors.ts';
import type { FilterField } from '../../../../domain/messages/push-filter.ts';
import { PUSH_STATES } from '../../../../domain/messages/push-log.ts';
import { checkShape } from '../../../../domain/values/check-shape.ts';
import { isObject, parsedJson } from '../../../../domain/values/json.ts';
import { oneOf } from '../../../../domain/values/shape.ts';
import { cursorPlace } from '../../../shared/cursor-text.ts';
import type { QstashCall } from '../handlers/handler.ts';

/** The most ids of a request, and the most messages of a page. */
const [MOST_IDS, MOST_IN_PAGE] = [1000, 100];

/** The fields of all filters, by their names in a request; each may be repeated, or have several values with commas. */
const FIELDS: Readonly<Record<string, FilterField>> = {
  ...{ callerIp: 'callerIp', callerIP: 'callerIp', label: 'label', url: 'url' },
  ...{ messageId: 'messageId', queueName: 'queue', scheduleId: 'schedule' },
  ...{ topicName: 'topic', urlGroup: 'topic', flowControlKey: 'flowControlKey' },
};

/** The separators of fields whose values may contain commas: URLs and paths. */
const SEPARATORS: { readonly [Field in FilterField]?: RegExp } = {
  ...{ url: /,(?=https?:)/i, path: /,(?=\/)/ },
};

/** Filters that QStash took once are ignored, as there. */
const OTHERS = ['fromDate', 'toDate', 'count', 'cursor', 'order', 'api'];

const stateShape = oneOf(...PUSH_STATES, 'IN_PROGRESS');

/** What a route takes besides the fields of all filters. */
export interface OrderTerms {
  /** The name of its ids. */
  readonly ids: 'messageIds' | 'dlqIds';
  readonly fields?: Readonly<Record<string, FilterField>>;
  readonly hasState?: boolean;
  /** The most messages of a request with a `count`, and of one without. */
  readonly most?: readonly [number, number];
  /** Whether a request without a filter chooses nothing. */
  readonly mustChoose?: boolean;
}

export interface PushOrder {
  readonly chosen: ChosenPushes;
  readonly state: string | undefined;
}

/** Reads which messages a request is about, from its query or its body. @throws DomainError `invalid-request`. */
export function pushOrder(call: Pick<QstashCall, 'query' | 'body'>, terms: OrderTerms): PushOrder {
  const given = givenFields(call);
  const fields = new Map(Object.entries({ ...FIELDS, ...terms.fields }));
  const others = [terms.ids, ...OTHERS, ...(terms.hasState === true ? ['state'] : [])];
  for (const name of given.keys()) {
    if (fields.has(name) || others.includes(name)) continue;
    throw invalidRequest(`unknown filter ${name.slice(0, 100)}`, name);
  }
  const ids = given.get(terms.ids)?.flatMap((id) => id.split(','));
  if (ids !== undefined) {
    if (ids.length > MOST_IDS) throw invalidRequest(`${terms.ids} must be at most ${MOST_IDS}`);
    return { chosen: { ids }, state: undefined };
  }
  if (terms.mustChoose === true && given.size === 0) {
    throw invalidRequest(`Name ${terms.ids} or a filter, or count for all`);
  }
  const numbers = (name: string) => wholeNumber(name, given.get(name));
  const [from, to, count] = [numbers('fromDate'), numbers('toDate'), numbers('count')];
  const values = Array.from(given).flatMap(([name, each]) => {
    const field = fields.get(name);
    if (field === undefined) return [];
    const separator = SEPARATORS[field] ?? ',';
    return [[field, each.flatMap((value) => value.split(separator))] as const];
  });
  const [cursor] = given.get('cursor') ?? [];
  const [most, mostUncounted] = terms.most ?? [MOST_IN_PAGE, MOST_IN_PAGE];
  const chosen = {
    filter: { ...Object.fromEntries(values), from, to },
    most: count === undefined ? mostUncounted : Math.min(Math.max(1, count), most),
    ...(cursor && { cursor: cursorPlace(cursor) ?? [] }),
  };
  const state = given.get('state')?.[0]?.toUpperCase();
  if (state !== undefined) checkShape(stateShape, state, 'state');
  return { chosen, state };
}

function givenFields({
  query,
  body,
}: Pick<QstashCall, 'query' | 'body'>): ReadonlyMap<string, readonly string[]> {
  const fields = new Map<string, readonly string[]>();
  for (const name of query.keys()) fields.set(name, query.getAll(name));
  if (body.length === 0) return fields;
  for (const [name, value] of Object.entries(orderOf({ body }))) {
    if (value === null) continue;
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (!values.every((each) => typeof each === 'string' || typeof each === 'number')) {
      throw invalidRequest(`${name} must be a text or a number, or several`, name);
    }
    fields.set(name, values.map(String));
  }
  return fields;
}

function wholeNumber(name: string, values: readonly string[] | undefined): number | undefined {
  if (values === undefined) return undefined;
  const [text = ''] = values;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw invalidRequest(`${name} must be a whole number`, name);
}

/** @throws DomainError `invalid-request` for a body that is no object. */
export function orderOf({ body }: Pick<QstashCall, 'body'>): Readonly<Record<string, unknown>> {
  const order = parsedJson(body.toString());
  if (isObject(order)) return order;
  throw invalidRequest('The body must be a JSON object');
}
