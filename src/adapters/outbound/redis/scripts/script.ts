import type { QueueName } from '../../../../domain/queues/queue-name.ts';
import { queueKeys, type QueueKeys, type QueuesKeys } from '../layout/queue-keys.ts';
import { luaScript, variablesOf } from '../lua/load.ts';
import type { AnswerCheck, ArgumentsOf, Kind, ScriptArgument, TypedScript } from '../lua/script.ts';
import { any } from './answer-check.ts';

export const text: Kind<ScriptArgument> = { sent: (value) => value, read: (argument) => argument };

/** Nil in Lua where it is undefined. */
export const number: Kind<ScriptArgument | undefined> = {
  sent: (value) => value ?? '',
  read: (argument) => `tonumber(${argument})`,
};

export const flag: Kind<boolean> = {
  sent: (value) => (value ? 1 : ''),
  read: (argument) => `${argument} == "1"`,
};

/** Travels among the keys. */
export const key: Kind<string> = { sent: (value) => value, read: (argument) => argument };

/** The kinds of the named arguments of a script, in their order. */
export type Kinds = Readonly<Record<string, Kind<never>>>;

// eslint-disable-next-line @typescript-eslint/no-generated-empty-object-type -- a script without named arguments
type NoKinds = Record<never, never>;

type Texts = Readonly<Record<string, string>>;

/** A variable of Lua, and where its value comes from in a run. */
interface Variable {
  readonly name: string;
  readonly kind: Kind<never>;
  readonly value: (keys: Texts, args: Texts) => string | undefined;
}

const KEYS_OF_QUEUE = Object.keys(queueKeys('', '' as QueueName)).filter(
  (each) => !['queue', 'jobPrefix', 'start'].includes(each),
);

const JOB: Variable = {
  name: 'job',
  kind: key,
  value: ({ jobPrefix }, { id }) => `${jobPrefix}${id}`,
};

const PREFIX: Variable = { name: 'prefix', kind: text, value: ({ jobPrefix }) => jobPrefix };

/** By what guarded scripts decide whether they may act on a job (attempts/state-guard). */
const GUARD = { id: text, allowed: text, reach: number };

/** A script that acts on a job only in certain states. */
export type GuardedScript<Args extends Kinds> = TypedScript<
  QueueKeys,
  typeof GUARD & Args,
  unknown
>;

/** How the scripts of a room of `lua` are declared. */
export function scriptsOf(room: string) {
  /**
   * In Lua its keys and arguments are variables of the same names; a key that is there for its slot alone has none.
   * Further arguments begin with the number REST.
   */
  function script<Key extends string, Args extends Kinds = NoKinds, Answer = void>(
    name: string,
    keys: readonly Key[],
    args = {} as Args,
    answer = any as AnswerCheck<Answer>,
  ): TypedScript<Readonly<Record<Key, string>>, Args, Answer> {
    return typed(`${room}/${name}`, keys.map(knownKey), args, answer);
  }

  /**
   * A script of one queue: it has the keys that it names, as QueueKeys does, with `job` for that of an argument `id`;
   * and `prefix`, the part of them before their own names and job ids.
   */
  function ofQueue<Args extends Kinds = NoKinds, Answer = void>(
    name: string,
    args = {} as Args,
    answer = any as AnswerCheck<Answer>,
  ): TypedScript<QueueKeys, Args, Answer> {
    const path = `${room}/${name}`;
    const used = variablesOf(path);
    const all = [...KEYS_OF_QUEUE.map(knownKey), ...('id' in args ? [JOB] : [])];
    const keys = all.filter((each) => used.has(each.name));
    return typed(path, [...(keys.length === 0 ? [knownKey('meta')] : keys), PREFIX], args, answer);
  }

  /** A script of several queues. `start` is the part of their keys before their names. */
  function ofQueues<Args extends Kinds = NoKinds, Answer = void>(
    name: string,
    args = {} as Args,
    answer = any as AnswerCheck<Answer>,
  ): TypedScript<QueuesKeys, Args, Answer> {
    const start = { ...knownKey('start'), kind: text };
    return typed(`${room}/${name}`, [knownKey('registry'), start], args, answer);
  }

  function guarded<Args extends Kinds>(name: string, args: Args): GuardedScript<Args> {
    return ofQueue(name, { ...GUARD, ...args }, any);
  }

  return { script, ofQueue, ofQueues, guarded };
}

function knownKey(name: string): Variable {
  return { name, kind: key, value: (keys) => keys[name] };
}

function typed<Keys, Args extends Kinds, Answer>(
  name: string,
  known: readonly Variable[],
  args: Args,
  answer: AnswerCheck<Answer>,
): TypedScript<Keys, Args, Answer> {
  const given = Object.entries<Kind<never>>(args).map(([each, kind]): Variable => ({
    name: each,
    kind,
    value: (_, values) => values[each],
  }));
  const variables = [...known, ...given];
  const inKeys = variables.filter(({ kind }) => kind === key);
  const inArguments = variables.filter(({ kind }) => kind !== key);
  const valuesOf = (some: readonly Variable[]) => (keys: Keys, values: ArgumentsOf<Args>) =>
    some.map(({ kind, value }) => kind.sent(value(keys as Texts, values as Texts) as never));
  const lua = luaScript(
    name,
    inKeys.map((each) => each.name),
    inArguments.map(({ name, kind }, index) => [name, kind.read(`ARGV[${index + 1}]`)]),
  );
  const keysFor = valuesOf(inKeys) as TypedScript<Keys, Args, Answer>['keysFor'];
  return { ...lua, keysFor, argumentsFor: valuesOf(inArguments), answer };
}
