import type { AuditEntry, AuditPage } from 'jobgate-client';
import { isObject } from '../../../src/domain/values/json.ts';
import { keptOrMade } from '../../../src/domain/values/kept-or-made.ts';
import { Failed } from '../failed.ts';
import type { Invocation } from '../invocation.ts';

type Answer = Readonly<Record<string, unknown>>;

/** Something that callers set, and that stands until it is taken back. */
interface Rule {
  readonly what: string;
  /** The actions that set it: the first makes it, others change it. */
  readonly sets: readonly [makes: string, ...changes: string[]];
  /** The actions that end it, besides the removal of its queue. */
  readonly ends: readonly string[];
  /** Where it is read, with the fields of a target in the place of `<queue>`. */
  readonly path: string;
  /** The request that takes it back; without one, it is removed. */
  readonly undo?: string;
  /** Returns the setting or the stop that the answer shows, with its author if the answer names one; false for none. */
  readonly found: (answer: Answer) => unknown;
}

const QUEUE = '/queues/<queue>';
const GROUP = `${QUEUE}/groups/<group>`;
const SCHEDULER = `${QUEUE}/schedulers/<scheduler>`;
const WORKER = '/workers/<worker>';

/** Something that is made, changed and removed. */
const made = (thing: string, path: string, makes: string, ...changes: string[]): Rule => ({
  what: thing,
  sets: [makes, ...changes],
  ends: [`${thing}.remove`],
  path,
  // A group may be there without any.
  found: ({ settings }) => settings !== null,
});

const paused = (thing: string, path: string): Rule => ({
  what: `pause of a ${thing}`,
  sets: [`${thing}.pause`],
  ends: [`${thing}.resume`],
  path,
  undo: `POST ${path}/resume`,
  found: ({ paused, pause }) => paused === true && pause,
});

const held = (thing: string, path: string): Rule => ({
  what: `hold of a ${thing}`,
  sets: [`${thing}.hold`],
  ends: [`${thing}.end-hold`],
  path,
  undo: `DELETE ${path}/hold`,
  found: ({ heldUntil, heldBy, hold }) => heldUntil !== null && heldBy !== 'endpoint' && hold,
});

const disabled: Rule = {
  what: 'disabled worker',
  sets: ['worker.disable'],
  ends: ['worker.enable', 'worker.register', 'worker.remove'],
  path: `${WORKER}/health`,
  undo: `POST ${WORKER}/enable`,
  found: ({ state, by }) => state === 'disabled' && { by },
};

/** Settings come first: what is removed need not be resumed. */
const RULES: readonly Rule[] = [
  made('token', '/tokens/<token>', 'token.create'),
  made('hook', '/hooks/<hook>', 'hook.save'),
  made('worker', WORKER, 'worker.register', 'worker.change'),
  made('scheduler', SCHEDULER, 'scheduler.save'),
  made('subscription', '/topics/<topic>/subscriptions/<subscription>', 'subscription.save'),
  made('policy', `${QUEUE}/policy`, 'policy.save'),
  // A limit that a policy names cannot be removed.
  made('limit', '/limits/<limit>', 'limit.save'),
  made('group', GROUP, 'group.save'),
  ...[paused('queue', QUEUE), paused('group', GROUP), paused('scheduler', SCHEDULER)],
  ...[held('queue', QUEUE), held('group', GROUP), disabled],
];

/** Something that a caller set and that still stands, with the request that takes it back, or why nothing does. */
export type StandingChange = NonNullable<ReturnType<typeof changeIn>>;

/** The settings of a caller that still stand, and the count of its other changes, by action. */
export type ChangesOfCaller = Awaited<ReturnType<typeof changesOf>>;

/**
 * @param who the id or the name of a token, or of a person.
 * @throws Failed when the audit knows nobody like that: a slip would look like a token that set nothing.
 */
export async function changesOf(call: Invocation, who: string) {
  const all = await changes(call);
  if (!all.some((entry) => isOf(entry, who) || entry.target.token === who)) {
    throw new Failed(`The audit has no change by ${who}: jobgate audit lists who changed what`);
  }
  const known = new Set(RULES.flatMap(({ sets, ends }) => [...sets, ...ends]));
  const others: Record<string, number> = {};
  for (const entry of all) {
    const { action } = entry;
    if (isOf(entry, who) && !known.has(action)) others[action] = (others[action] ?? 0) + 1;
  }
  const standing: StandingChange[] = [];
  for (const rule of RULES) {
    for (const [path, entries] of byPath(rule, all)) {
      const change = changeIn(rule, path, entries, who);
      if (change === undefined) continue;
      const answer = await call.found<Answer>(path, [404]);
      if (answer !== undefined && isBy(rule.found(answer), change.by)) standing.push(change);
    }
  }
  return { standing, others };
}

function isOf({ who: { id, name } }: AuditEntry, who: string): boolean {
  return id === who || name === who;
}

/** A stop of an earlier version does not say who made it. */
function isBy(found: unknown, by: string): boolean {
  if (!isObject(found)) return found !== false;
  return (found['by'] ?? by) === by;
}

/** The calls that changed something, newest first. */
async function changes(call: Invocation): Promise<readonly AuditEntry[]> {
  const found: AuditEntry[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { length: 200, cursor };
    const page = await call.jobgate.request<AuditPage>('GET', '/audit', { query });
    found.push(...page.entries);
    ({ cursor } = page);
  }
  return found.filter(({ outcome }) => outcome === 'ok' || outcome === 'started');
}

/** The calls that set each thing since it or its queue ended last, newest first. */
function byPath(
  { sets, ends, path }: Rule,
  all: readonly AuditEntry[],
): ReadonlyMap<string, readonly AuditEntry[]> {
  const ended = new Set<string>();
  const found = new Map<string, AuditEntry[]>();
  for (const entry of all) {
    const { queue = '' } = entry.target;
    const filled = pathFor(path, entry);
    if (entry.action === 'queue.remove') ended.add(queue);
    if (ends.includes(entry.action)) ended.add(filled);
    // The subscription of a queue stays without it.
    if (ended.has(filled) || (/<(queue|worker)>/.test(path) && ended.has(queue))) continue;
    if (sets.includes(entry.action)) keptOrMade(found, filled, () => []).push(entry);
  }
  return found;
}

/** The policy of all queues has no queue. */
function pathFor(path: string, { target, detail }: AuditEntry): string {
  const fields: Readonly<Record<string, unknown>> = { ...detail, ...target };
  const ofAll = target.queue === undefined ? path.replace(QUEUE, '') : path;
  return ofAll.replaceAll(/<(\w+)>/g, (_, name: string) =>
    encodeURIComponent(String(fields[name])),
  );
}

function changeIn(
  { what, sets, undo }: Rule,
  path: string,
  since: readonly AuditEntry[],
  who: string,
) {
  // An entry that makes something anew replaces what others set; a change does not, and a pause leaves the first one.
  const latest = since.find(
    (entry) => isOf(entry, who) || (undo === undefined && entry.action === sets[0]),
  );
  if (latest === undefined || !isOf(latest, who)) return undefined;
  const { at, target, who: caller } = latest;
  const origin = since.map(({ detail }) => detail['origin']).find((each) => each !== undefined);
  const detail = { ...latest.detail, ...(origin !== undefined && { origin }) };
  const change = { what, at, by: caller.name, target, detail };
  if (undo !== undefined) return { ...change, undo: pathFor(undo, latest) };
  const other = since.find((entry) => !isOf(entry, who));
  const isMade = since.some(({ action }) => action === sets[0]);
  if (other === undefined && isMade) return { ...change, undo: `DELETE ${path}` };
  const why =
    other === undefined ? 'The audit no longer has who made it' : `${other.who.name} set it too`;
  return { ...change, undo: null, cannot: `${why}: set or remove it by hand` };
}
