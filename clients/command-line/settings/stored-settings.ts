import { JobgateError } from 'jobgate-client';
import type { SettingKind as Kind } from '../../../src/domain/values/setting-kinds.ts';
import type { Invocation } from '../invocation.ts';
import { codeOf } from '../service/refusal.ts';
import { allOf } from '../service/all-of.ts';
import type { Fields } from './fields.ts';
import { pathOf, settingOf, type Place, type Setting } from './setting.ts';

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
    allOf<Place>(call, '/schedulers', 'schedulers', SCHEDULERS).then((found) =>
      settingsIn('scheduler', found, (each) => each),
    ),
    ofEach(queues, (place) => groupsOf(call, place.queue)),
    call.jobgate.hooks.list().then(({ hooks }) => settingsIn('hook', hooks, (each) => each)),
    call.jobgate
      .topics()
      .then(({ topics }) => ofEach(topics, ({ topic }) => subscriptionsOf(call, topic))),
  ]);
  return [...settingsIn('limit', limits, ({ name: id }) => ({ id })), ...all.flat()];
}

/** The settings that answers of the API have. */
function settingsIn<Answer extends object>(
  kind: Kind,
  answers: readonly Answer[],
  placeOf: (answer: Answer) => Place,
): readonly Setting[] {
  const settings = answers.flatMap((each) => settingOf(kind, placeOf(each), each as Fields) ?? []);
  return settings.sort(inOrder);
}

async function one(call: Invocation, kind: Kind, place: Place): Promise<readonly Setting[]> {
  const setting = await storedSetting(call, kind, place);
  return setting === undefined ? [] : [setting];
}

async function groupsOf(call: Invocation, queue: string): Promise<readonly Setting[]> {
  const path = `/queues/${encodeURIComponent(queue)}/groups`;
  const groups = await allOf<{ id: string }>(call, path, 'groups');
  return settingsIn('group', groups, ({ id }) => ({ queue, id }));
}

async function subscriptionsOf(call: Invocation, topic: string): Promise<readonly Setting[]> {
  const { subscriptions } = await call.jobgate.topic(topic).get();
  return settingsIn('topic', subscriptions, ({ id }) => ({ id: `${topic}/${id}` }));
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
