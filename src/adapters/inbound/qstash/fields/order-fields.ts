import type { ChosenPushes } from '../../../../application/pushes/pushed-messages.ts';
import { PUSH_STATES, type PushState } from '../../../../domain/messages/push-log.ts';
import { invalidRequest } from '../../../../domain/errors.ts';
import type { PushFilter } from '../../../../domain/messages/push-filter.ts';
import { isObject, parsedJson } from '../../../../domain/values/json.ts';
import type { QstashCall } from '../handlers/handler.ts';

/** The most ids of a request, and the most messages of a page. */
const [MOST_IDS, MOST_IN_PAGE] = [1000, 100];

/** The fields of a filter by their names in a request; those of several values may be repeated. */
const LISTS = {
  callerIp: 'callerIp',
  label: 'label',
  flowControlKey: 'flowControlKey',
  messageId: 'messageId',
  url: 'url',
  topicName: 'topic',
  urlGroup: 'topic',
  scheduleId: 'schedule',
  queueName: 'queue',
} as const satisfies Readonly<Record<string, keyof PushFilter>>;

/** Fields of destinations, which the dead letter queue does not filter by. */
const OF_DESTINATIONS = { host: 'host', path: 'path' } as const;

/** What a route takes besides the fields of all filters. */
export interface OrderTerms {
  /** The name of its ids. */
  readonly ids: 'messageIds' | 'dlqIds';
  readonly hasHosts?: boolean;
  readonly hasStatus?: boolean;
  readonly hasState?: boolean;
  /** Whether a request without a filter chooses nothing. */
  readonly mustChoose?: boolean;
}

export interface PushOrder {
  readonly chosen: ChosenPushes;
  readonly state: PushState | 'IN_PROGRESS' | undefined;
}

/** Reads which messages a request is about, from its query or its body. @throws DomainError `invalid-request`. */
export function pushOrder(call: Pick<QstashCall, 'query' | 'body'>, terms: OrderTerms): PushOrder {
  const given = givenFields(call);
  const lists: Readonly<Record<string, keyof PushFilter>> = {
    ...LISTS,
    ...(terms.hasHosts && OF_DESTINATIONS),
  };
  const filter: Record<string, unknown> = {};
  const rest = new Map<string, readonly string[]>();
  for (const [name, values] of given) {
    const field = Object.hasOwn(lists, name) ? lists[name] : undefined;
    if (field !== undefined) filter[field] = values;
    else if (name === 'fromDate') filter['from'] = wholeNumber(name, values);
    else if (name === 'toDate') filter['to'] = wholeNumber(name, values);
    else if (name === 'responseStatus' && terms.hasStatus === true) {
      filter['responseStatus'] = values.map((value) => wholeNumber(name, [value]));
    } else if (isKnown(name, terms)) rest.set(name, values);
    else throw invalidRequest(`unknown filter ${name.slice(0, 100)}`, name);
  }
  const ids = rest.get(terms.ids)?.flatMap((id) => id.split(','));
  if (ids !== undefined) {
    if (ids.length > MOST_IDS) throw invalidRequest(`${terms.ids} must be at most ${MOST_IDS}`);
    return { chosen: { ids }, state: undefined };
  }
  const count = rest.get('count');
  const most = count === undefined ? MOST_IN_PAGE : wholeNumber('count', count);
  const cursor = rest.get('cursor')?.[0];
  const chosen = {
    filter: filter as PushFilter,
    most: Math.min(Math.max(1, most), MOST_IN_PAGE),
    ...(cursor && { cursor: Buffer.from(cursor, 'base64url').toString() }),
  };
  if (terms.mustChoose === true && given.size === 0) {
    throw invalidRequest(`Name ${terms.ids} or a filter, or count for all`);
  }
  return { chosen, state: stateIn(rest.get('state')) };
}

/** The cursor of the next page as clients send it back. */
export function shownCursor(cursor: string | undefined): string | undefined {
  return cursor === undefined ? undefined : Buffer.from(cursor).toString('base64url');
}

function isKnown(name: string, { ids, hasState }: OrderTerms): boolean {
  // Filters that QStash took once are ignored, as there.
  return [ids, 'count', 'cursor', 'order', 'api', ...(hasState === true ? ['state'] : [])].includes(
    name,
  );
}

function givenFields({
  query,
  body,
}: Pick<QstashCall, 'query' | 'body'>): ReadonlyMap<string, readonly string[]> {
  const fields = new Map<string, readonly string[]>();
  for (const name of query.keys()) fields.set(name, query.getAll(name));
  if (body.length === 0) return fields;
  const ordered = parsedJson(body.toString());
  if (!isObject(ordered)) throw invalidRequest('The body must be a JSON object');
  for (const [name, value] of Object.entries(ordered)) {
    if (value === null) continue;
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (!values.every((each) => typeof each === 'string' || typeof each === 'number')) {
      throw invalidRequest(`${name} must be a text or a number, or several`, name);
    }
    fields.set(name, values.map(String));
  }
  return fields;
}

function wholeNumber(name: string, [text = '']: readonly string[]): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw invalidRequest(`${name} must be a whole number`, name);
}

function stateIn(values: readonly string[] | undefined): PushOrder['state'] {
  if (values === undefined) return undefined;
  const states: readonly string[] = [...PUSH_STATES, 'IN_PROGRESS'];
  const [state = ''] = values;
  if (states.includes(state.toUpperCase())) return state.toUpperCase() as PushOrder['state'];
  throw invalidRequest(`state must be one of ${states.join(', ')}`, 'state');
}
