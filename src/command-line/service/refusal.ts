import type { JobgateError } from 'jobgate-client';
import { orGuess } from '../input/guess.ts';
import type { Invocation } from '../invocation.ts';

/** What does not exist, by the error code of the answer. */
const THINGS: Readonly<Record<string, string>> = {
  'worker-not-found': 'worker',
  'scheduler-not-found': 'job scheduler',
  'group-not-found': 'group',
  'deduplication-not-found': 'deduplication id',
};

/** Things that do not belong to a queue. */
const THINGS_OF_THE_SERVICE: Readonly<Record<string, string>> = {
  'token-not-found': 'token',
  'session-not-found': 'session',
};

/** How many names are searched for the one that was meant. */
const NAMES = 1000;

/** The message for a call that the service refuses, or for a service that cannot be reached. */
export async function refusalOf(error: JobgateError, call: Invocation): Promise<string> {
  const code = codeOf(error);
  if (error.status === 0) return `${call.service.url} cannot be reached: ${causeOf(error)}`;
  if (code === 'queue-not-found') return noQueue(call, call.queue);
  if (code === 'job-not-found') return `There is no job ${call.name(1)} in ${call.queue}`;
  if (code === 'policy-not-found') return `There is no policy for ${call.queue || 'all queues'}`;
  const own = THINGS_OF_THE_SERVICE[code];
  if (own !== undefined) return `There is no ${own} ${call.name(0)}: jobgate ${own}s lists them`;
  const thing = THINGS[code];
  if (thing !== undefined) {
    const name =
      call.names[1] === undefined ? `for ${call.queue}` : `${call.name(1)} in ${call.queue}`;
    return `There is no ${thing} ${name}`;
  }
  return inShort(error);
}

/** The options for query fields with a different name. */
const OPTIONS: Readonly<Record<string, string>> = {
  length: '--limit',
  start: '--skip',
  cursor: '--cursor',
  statuses: '--state',
  status: '--http-status',
  data: '--value',
  for: 'the time, in ms,',
  'filter.status': '--http-status',
  'filter.statuses': '--state',
  'filter.reason': '--reason',
  'filter.name': '--name',
};

/** The error text of the service, and the status of its answer if that is an error. */
export function inShort(error: JobgateError): string {
  const { field = '', message, status } = error;
  const option = OPTIONS[field];
  const text = option === undefined ? message : option + message.slice(field.length);
  return status === 202 ? text : `${text} (${status})`;
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

/** Empty when they cannot be read. */
async function queueNames({ jobgate }: Invocation): Promise<readonly string[]> {
  try {
    const { queues } = await jobgate.queues({ length: NAMES });
    return (queues as readonly { name: string }[]).map(({ name }) => name);
  } catch {
    return [];
  }
}

/** The network error's own message. */
function causeOf({ cause }: JobgateError): string {
  const { cause: inner = cause } = cause as { cause?: unknown };
  const { code, message } = inner as { code?: unknown; message?: string };
  return typeof code === 'string' ? code : (message ?? 'no answer');
}
