import { isObject } from '../../../src/domain/values/json.ts';
import type { SettingKind as Kind } from '../../../src/domain/values/setting-kinds.ts';
import { without } from '../../../src/domain/values/without.ts';
import { settingsOfHook } from '../../rules/hook-settings.ts';
import type { Fields } from './fields.ts';

/** One setting of a service as a document: what it is of, and the body of the API. */
export interface Setting {
  readonly kind: Kind;
  /** Absent for limits, hooks, topics, and the policy of all queues. */
  readonly queue?: string;
  /**
   * That of a scheduler, a group or a hook; the name of a limit; the topic and the id of a subscription with a slash
   * between them.
   */
  readonly id?: string;
  readonly spec: Fields;
}

/** Where a setting is. */
export type Place = Pick<Setting, 'queue' | 'id'>;

interface Rules {
  /** The path of a setting in the API, which has `<queue>` and `<id>`, or its `<topic>`, for what the kind needs. */
  readonly path: string;
  /** That of all queues. */
  readonly pathOfAll?: string;
  /** What the answer of the API says of a setting; undefined when there is none. */
  readonly specOf: (answer: Fields) => Fields | undefined;
  /** Where there are headers, whose values are secret, as names of fields from the outside in. */
  readonly headers: readonly (readonly string[])[];
}

export const RULES: Readonly<Record<Kind, Rules>> = {
  limit: {
    path: '/limits/<id>',
    specOf: ({ concurrency, limiter }) => ({
      ...(concurrency !== null && { concurrency }),
      ...(limiter !== null && { limiter }),
    }),
    headers: [],
  },
  policy: {
    path: '/queues/<queue>/policy',
    pathOfAll: '/policy',
    specOf: (answer) => answer,
    headers: [
      ['callback', 'headers'],
      ['defaults', 'callback', 'headers'],
    ],
  },
  worker: {
    path: '/workers/<queue>',
    // No options are the same as none.
    specOf: ({ endpoint, opts }) => ({
      endpoint,
      ...(isObject(opts) && Object.keys(opts).length > 0 && { opts }),
    }),
    headers: [['endpoint', 'headers']],
  },
  scheduler: {
    path: '/queues/<queue>/schedulers/<id>',
    specOf: ({ repeat, job, overlap, paused }) => ({ repeat, job, overlap, paused }),
    headers: [
      ['job', 'opts', 'callback', 'headers'],
      ['job', 'opts', 'endpoint', 'headers'],
    ],
  },
  group: {
    path: '/queues/<queue>/groups/<id>',
    specOf: ({ settings }) => (isObject(settings) ? settings : undefined),
    headers: [],
  },
  hook: {
    path: '/hooks/<id>',
    specOf: settingsOfHook,
    headers: [['headers']],
  },
  topic: {
    path: '/topics/<topic>/subscriptions/<id>',
    specOf: (answer) => without(answer, 'id'),
    headers: [
      ['opts', 'callback', 'headers'],
      ['opts', 'endpoint', 'headers'],
      ['endpoint', 'headers'],
    ],
  },
};

/** The path of a setting in the API. */
export function pathOf(kind: Kind, { queue, id = '' }: Place): string {
  const { path, pathOfAll } = RULES[kind];
  if (queue === undefined && pathOfAll !== undefined) return pathOfAll;
  const slash = kind === 'topic' ? id.indexOf('/') : -1;
  const names: Readonly<Record<string, string>> = {
    '<queue>': queue ?? '',
    '<topic>': id.slice(0, Math.max(0, slash)),
    '<id>': id.slice(slash + 1),
  };
  return path.replaceAll(/<\w+>/g, (name) => encodeURIComponent(names[name] ?? ''));
}

/** Where it is alone, of anything that has a place. */
export function placeOf({ queue, id }: { readonly queue?: unknown; readonly id?: unknown }): Place {
  return { ...(typeof queue === 'string' && { queue }), ...(typeof id === 'string' && { id }) };
}

/** A setting from an answer of the API, without the values of headers; undefined when there is none. */
export function settingOf(kind: Kind, place: Place, answer: Fields): Setting | undefined {
  const spec = RULES[kind].specOf(answer);
  if (spec === undefined) return undefined;
  return { kind, ...placeOf(place), spec: withHeaderValues(kind, spec, () => null) };
}

/** The body with other values of its headers. @param change from the value of a header, and where it is. */
export function withHeaderValues(
  kind: Kind,
  spec: Fields,
  change: (value: unknown, field: string) => unknown,
): Fields {
  return RULES[kind].headers.reduce((changed, path) => changedAt(changed, path, '', change), spec);
}

function changedAt(
  fields: Fields,
  [name = '', ...rest]: readonly string[],
  above: string,
  change: (value: unknown, field: string) => unknown,
): Fields {
  const inner = fields[name];
  if (!isObject(inner)) return fields;
  const at = `${above}${name}.`;
  const changed =
    rest.length > 0
      ? changedAt(inner, rest, at, change)
      : Object.fromEntries(
          Object.entries(inner).map(([header, value]) => [header, change(value, at + header)]),
        );
  return { ...fields, [name]: changed };
}
