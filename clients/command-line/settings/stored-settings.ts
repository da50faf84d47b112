import { JobgateError } from 'jobgate-client';
import type { Invocation } from '../invocation.ts';
import { codeOf } from '../service/refusal.ts';
import { allOf } from '../service/all-of.ts';
import type { Fields } from './fields.ts';
import { pathOf, settingOf, type Kind, type Place, type Setting } from './setting.ts';

/** How many schedulers a page has at most, since their next slots have to be computed. */
const SCHEDULERS = 100;

/** How many queues are read at once. */
const AT_ONCE = 10;

/** A setting as the service has it, without the values of headers; undefined when it has none. */
export async function storedSetting(
  call: Invocation,
  kind: Kind,
  place: Place,
): Promise<Setting | undefined> {
  try {
    return settingOf(kind, place, await call.request<Fields>('GET', pathOf(kind, place)));
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Whether the service answered that there is no such setting. */
export function isNotFound(error: unknown): boolean {
  return error instanceof JobgateError && codeOf(error).endsWith('-not-found');
}

/**
 * All settings of a service that the token may use: its limits, policies, workers, schedulers, groups, hooks and
 * subscriptions of topics, by queue and id. Limits and the policy of all queues need a token for all queues.
 */
export async function storedSettings(call: Invocation): Promise<readonly Setting[]> {
  const names = await allOf<{ name: string }>(call, '/queues', 'queues');
  const queues = names.map(({ name: queue }) => ({ queue })).sort(inOrder);
  const { queues: allowed } = await call.jobgate.whoami();
  const common = allowed === null ? [{}] : [];
  const workers = await call.request<Fields>('GET', '/workers');
  const called = Object.keys(workers).map((queue) => ({ queue }));
  const { limits } = allowed === null ? await call.jobgate.limits.list() : { limits: [] };
  const all = await Promise.all([
    ofEach([...common, ...queues], (place) => one(call, 'policy', place)),
    ofEach(called.sort(inOrder), (place) => one(call, 'worker', place)),
    allOf<Fields & Place>(call, '/schedulers', 'schedulers', SCHEDULERS).then((found) =>
      found.sort(inOrder).flatMap((each) => settingOf('scheduler', each, each) ?? []),
    ),
    ofEach(queues, (place) => groupsOf(call, place.queue)),
    call.jobgate.hooks
      .list()
      .then(({ hooks }) =>
        [...hooks]
          .sort(inOrder)
          .flatMap((hook) => settingOf('hook', { id: hook.id }, { ...hook }) ?? []),
      ),
    call.jobgate
      .topics()
      .then(({ topics }) => ofEach(topics, ({ topic }) => subscriptionsOf(call, topic))),
  ]);
  const shared = limits.flatMap(
    (limit) => settingOf('limit', { id: limit.name }, { ...limit }) ?? [],
  );
  return [...shared, ...all.flat()];
}

async function one(call: Invocation, kind: Kind, place: Place): Promise<readonly Setting[]> {
  const setting = await storedSetting(call, kind, place);
  return setting === undefined ? [] : [setting];
}

async function groupsOf(call: Invocation, queue: string): Promise<readonly Setting[]> {
  const path = `/queues/${encodeURIComponent(queue)}/groups`;
  const groups = await allOf<Fields & { id: string }>(call, path, 'groups');
  return groups
    .sort(inOrder)
    .flatMap((group) => settingOf('group', { queue, id: group.id }, group) ?? []);
}

async function subscriptionsOf(call: Invocation, topic: string): Promise<readonly Setting[]> {
  const { subscriptions } = await call.jobgate.topic(topic).get();
  return subscriptions.flatMap(
    (each) => settingOf('topic', { id: `${topic}/${each.id}` }, { ...each }) ?? [],
  );
}

/** The results for all places, of which some are read at a time. */
async function ofEach<From>(
  places: readonly From[],
  read: (place: From) => Promise<readonly Setting[]>,
): Promise<readonly Setting[]> {
  const settings: Setting[] = [];
  for (let start = 0; start < places.length; start += AT_ONCE) {
    const found = await Promise.all(places.slice(start, start + AT_ONCE).map(read));
    settings.push(...found.flat());
  }
  return settings;
}

function inOrder(a: Place, b: Place): number {
  return compare(a.queue, b.queue) || compare(a.id, b.id);
}

function compare(a = '', b = ''): number {
  return a < b ? -1 : Number(a > b);
}
