import { setTimeout as sleep } from 'node:timers/promises';
import { JobgateError, type Worker } from 'jobgate-client';
import { elapsedInWords, inWords } from '../../../src/domain/values/duration.ts';
import type { Caller, ClaimedJob } from '../calls.ts';
import type { Declaration } from '../command.ts';
import { ForwardedJob, LOCK, type Forwarded } from '../forwarded-job.ts';
import { UsageError } from '../input/usage-error.ts';
import type { Invocation } from '../invocation.ts';
import { coloured, colourOf } from '../output/marks.ts';
import { time } from '../output/times.ts';
import { cut } from '../output/width.ts';
import { codeOf, inShort, isPassing, refusalOf } from '../service/refusal.ts';

/** How long (ms) a claim waits for a job, and how much longer its answer may take. */
const [WAIT, MARGIN] = [30_000, 30_000];

/** Milliseconds before a claim that got no answer is repeated. */
const PAUSE = 2000;

/** Minimum width of a reason on a narrow terminal. */
const REASON = 20;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Sends a request that the signal ends only until its answer begins: that of a claim may have jobs. */
const untilAnswered: typeof fetch = async (input, init) => {
  const { signal } = init ?? {};
  const ending = new AbortController();
  const end = (): void => ending.abort(signal?.reason);
  if (signal?.aborted === true) end();
  signal?.addEventListener('abort', end);
  try {
    return await fetch(input, { ...init, signal: ending.signal });
  } finally {
    signal?.removeEventListener('abort', end);
  }
};

/** The registration of the queue, if it has one and the token may read it. */
async function registered(call: Invocation): Promise<Worker | undefined> {
  try {
    return await call.request<Worker>('GET', '/workers/<queue>');
  } catch (error) {
    const isHidden = error instanceof JobgateError && error.status === 403;
    if (isHidden || (error instanceof JobgateError && codeOf(error) === 'worker-not-found'))
      return undefined;
    throw error;
  }
}

/** The jobs of one claim; none when the time is up, the service is away for now, or the signal ended it. */
async function claimed(call: Invocation, signal: AbortSignal): Promise<readonly ClaimedJob[]> {
  const path = '/queues/<queue>/jobs/claim';
  const options = { body: { wait: WAIT, lock: LOCK }, timeout: WAIT + MARGIN, signal };
  try {
    return await call.request<readonly ClaimedJob[]>('POST', path, options);
  } catch (error) {
    if (signal.aborted) return [];
    if (!isPassing(error)) throw error;
    call.terminal.report(`jobgate: ${await refusalOf(error, call)}`);
    await sleep(PAUSE, undefined, { signal }).catch(() => undefined);
    return [];
  }
}

async function forward(
  call: Invocation,
  caller: Caller,
  one: ClaimedJob,
  end: AbortSignal,
): Promise<void> {
  try {
    const forwarded = await new ForwardedJob(call, one).forward(caller, end);
    call.answer(forwarded, (shown) => lineOf(call, shown));
  } catch (error) {
    if (!(error instanceof JobgateError)) throw error;
    call.terminal.report(`jobgate: job ${one.job.id}: ${inShort(error, call)}`);
  }
}

function lineOf({ terminal }: Invocation, shown: Forwarded): string {
  const { job, name, outcome, status, durationMs, reason, againIn } = shown;
  const again = againIn === 0 ? 'again' : againIn && `again in ${inWords(againIn)}`;
  const line = (ended: string): string =>
    [time(Date.now()), job, name, ended, status, elapsedInWords(durationMs), again]
      .filter((part) => part !== null)
      .join('  ');
  const room = Math.max(REASON, terminal.width - line(outcome).length - 2);
  return `${line(coloured(outcome, colourOf(outcome)))}  ${cut(reason ?? '', room)}`.trimEnd();
}

export const listenCommand: Declaration = {
  usage: 'listen <queue>',
  summary: 'claim jobs of a queue and call an endpoint for each, until Ctrl-C',
  details:
    'Calls the URL, which may be of this machine, as the service calls a registered worker, one job at a time, and reports each answer by the same rules. All but the URL, headers and signature is as in the registration of the queue, if it has one; disable that worker to get all jobs. Ctrl-C gives back the job that it holds.',
  examples: [
    'listen mail --forward-to http://localhost:3000/hook',
    'listen mail --forward-to http://localhost:3000/hook --signing-secret whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  ],
  options: {
    'forward-to <url>': 'where calls go',
    'signing-secret <secret>':
      'sign the calls; other users of the machine may see it on the command line',
  },
  run: async (call) => {
    const url = call.text('forward-to');
    if (url === undefined)
      throw new UsageError('Give --forward-to, such as --forward-to http://localhost:3000/hook');
    const { queue, service } = call;
    const end = new AbortController();
    const stop = (): void => end.abort();
    service.through(untilAnswered);
    const worker = await registered(call);
    const secret = call.text('signing-secret');
    const target = { queue, url, secret, worker, service: service.url };
    const caller = await call.without.calls.to(target, call.variables);
    for (const signal of SIGNALS) process.once(signal, stop);
    call.terminal.onceLeft(stop);
    call.terminal.report(`Calling ${url} for the jobs of ${queue} until Ctrl-C`);
    try {
      while (!end.signal.aborted) {
        for (const one of await claimed(call, end.signal))
          await forward(call, caller, one, end.signal);
      }
    } finally {
      for (const signal of SIGNALS) process.off(signal, stop);
      await caller.close();
    }
  },
};
