import { YES, type Declaration } from './command.ts';
import { Failed } from './failed.ts';
import type { Invocation } from './invocation.ts';

/** A command that sends one request, and prints its answer. */
export interface Asking<Answer> extends Omit<Declaration, 'run'> {
  /** The method and the path of the request, in which `<queue>` stands for the argument of that name. */
  readonly sends: string | ((call: Invocation) => string);
  readonly query?: (call: Invocation) => object;
  readonly body?: (call: Invocation) => unknown;
  /** Whether the queue must exist: many routes answer for a queue without jobs as for one that exists. */
  readonly needsQueue?: true;
  /** The question before something is removed, which --yes answers. */
  readonly question?: (call: Invocation) => string;
  /** The answer in place of one that has no content. */
  readonly done?: (call: Invocation) => Answer;
  readonly shows: (answer: Answer, call: Invocation) => string;
  /** Why the command fails after it has shown its answer. */
  readonly fails?: (answer: Answer, call: Invocation) => string | false;
}

/** A command that removes the thing that its last argument names, once a person has confirmed it. */
export function removing(command: Omit<Asking<{ readonly removed: string }>, 'done'>): Declaration {
  return asking({ ...command, done: ({ names }) => ({ removed: names.at(-1) ?? '' }) });
}

export function asking<Answer>({
  sends,
  query,
  body,
  needsQueue,
  question,
  done,
  shows,
  fails,
  ...declared
}: Asking<Answer>): Declaration {
  return {
    ...declared,
    ...(question && { options: { ...declared.options, ...YES } }),
    run: async (call) => {
      if (needsQueue === true) await call.requireQueue();
      if (question && !(await call.isWanted(question(call)))) return;
      const [method = '', path = ''] = (typeof sends === 'string' ? sends : sends(call)).split(' ');
      const options = { query: query?.(call), body: body?.(call) };
      const answer = await call.request<Answer>(method, path, options);
      call.answer(done?.(call) ?? answer, (each) => shows(each, call));
      const failure = fails?.(answer, call);
      if (typeof failure === 'string') throw new Failed(failure);
    },
  };
}
