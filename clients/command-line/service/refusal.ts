import { JobgateError } from 'jobgate-client';
import { inWords } from '../../../src/domain/values/duration.ts';
import { isDuration } from '../input/durations.ts';
import { guess, orGuess } from '../input/guess.ts';
import type { Invocation } from '../invocation.ts';
import { idsBeside, queueNames } from './names.ts';
import { optionOf } from './option-of.ts';

/** Things that do not belong to a queue, as in the error codes that say that one does not exist. */
const OF_THE_SERVICE = ['token', 'session', 'hook', 'limit', 'topic'];

/** What can only exist in a queue that exists. */
const OF_A_QUEUE = ['job', 'scheduler', 'group', 'deduplication'];

/** Things whose names differ from those in error codes. */
const NAMES: Readonly<Record<string, string>> = {
  scheduler: 'job scheduler',
  deduplication: 'deduplication id',
};

/** The statuses of errors that may be gone at the next try; 0 stands for no answer. */
const PASSING = [0, 429, 503];

export function isPassing(error: unknown): error is JobgateError {
  return error instanceof JobgateError && PASSING.includes(error.status);
}

/** The message for a call that the service refuses, or for a service that cannot be reached. */
export async function refusalOf(error: JobgateError, call: Invocation): Promise<string> {
  const code = codeOf(error);
  const { url } = call.service;
  if (error.status === 0) return `${url} cannot be reached: ${causeOf(error)}`;
  if (isForeign(error)) {
    const answer = `answers HTTP ${error.status}`;
    // A proxy answers in place of a service that is away.
    return error.status < 500
      ? `${url} is not the URL of a jobgate service: it ${answer}`
      : `${url} ${answer}`;
  }
  const [, thing = ''] = /^(.*)-not-found$/.exec(code) ?? [];
  if (thing === 'queue') return noQueue(call, call.queue);
  if (OF_A_QUEUE.includes(thing) && (await isMissing(call))) return noQueue(call, call.queue);
  if (thing === 'job') return `There is no job ${call.name(1)} in ${call.queue}`;
  if (thing === 'policy') return `There is no policy for ${call.queue || 'all queues'}`;
  if (OF_THE_SERVICE.includes(thing))
    return `There is no ${thing} ${call.name(0)}: jobgate ${thing}s lists them`;
  if (thing !== 'worker' && !OF_A_QUEUE.includes(thing)) return inShort(error, call);
  const [, id] = call.names;
  const isOfQueue = id === undefined || thing === 'worker';
  const name = isOfQueue ? `for ${call.queue}` : `${id} in ${call.queue}`;
  const meant = isOfQueue ? await otherQueue(call) : guess(id, await idsBeside(code, call));
  return `There is no ${NAMES[thing] ?? thing} ${name}${meant === undefined ? '' : `: did you mean ${meant}?`}`;
}

/** The queue that was probably meant; undefined when the named one exists. */
async function otherQueue(call: Invocation): Promise<string | undefined> {
  const names = await queueNames(call);
  return names.includes(call.queue) ? undefined : guess(call.queue, names);
}

/** The error text of the service on one line, and the status of its answer if that is an error. */
export function inShort(error: JobgateError, call: Invocation): string {
  const { field = '', message, status } = error;
  const option = optionOf(field, call);
  const text =
    option === undefined ? message : option + boundsAsGiven(message, field, option, call);
  const line = text.trim().replaceAll(/\s*\n\s*/g, '; ');
  return status === 202 ? line : `${line} (${status})`;
}

/** What is wrong with a value, with bounds in units where it was given so: `from 0 ms to 7 d`. */
function boundsAsGiven(message: string, field: string, option: string, call: Invocation): string {
  const wrong = message.slice(field.length);
  const given = option.startsWith('--') ? call.text(option.slice(2)) : call.names.at(-1);
  if (given === undefined || !isDuration(given)) return wrong;
  return wrong
    .replace(' (epoch ms)', '')
    .replace(/an integer (?:of )?(?=from|at least)|(?<=from |least |to )\d+/g, (part) =>
      /^\d/.test(part) ? inWords(Number(part)) : '',
    );
}

/** Whether another program answered, or the service at a path that it does not have. */
function isForeign(error: JobgateError): boolean {
  const { problem, status, message } = error;
  if (problem !== undefined) return codeOf(error) === 'path-not-found';
  return status >= 300 && (status < 500 || message.trimStart().startsWith('<'));
}

/** Whether the queue does not exist; false when that cannot be read. */
async function isMissing(call: Invocation): Promise<boolean> {
  try {
    await call.requireQueue();
    return false;
  } catch (error) {
    return error instanceof JobgateError && codeOf(error) === 'queue-not-found';
  }
}

/** The message for a queue that does not exist, suggesting one with a similar name. */
export async function noQueue(call: Invocation, queue: string): Promise<string> {
  const hint = orGuess(queue, await queueNames(call), 'jobgate queues lists them');
  return `There is no queue ${queue}: ${hint}`;
}

export function codeOf({ problem }: JobgateError): string {
  const code = problem?.['code'];
  return typeof code === 'string' ? code : '';
}

/** The network error's own message. */
function causeOf({ cause }: JobgateError): string {
  const { cause: inner = cause } = cause as { cause?: unknown };
  const { code, message } = inner as { code?: unknown; message?: string };
  return typeof code === 'string' ? code : (message ?? 'no answer');
}
