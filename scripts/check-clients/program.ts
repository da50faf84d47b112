// Runs in Node.js, Deno and Bun with the packed client: a worker that pulls and one that is called, by the server that
// the runtime has of its own. It prints what works and throws at what does not. It ends by itself,
// after a SIGTERM of its own, once nothing holds it.
import { createWorker, Deferred, Fail, Jobgate, type WebhookWorker } from 'jobgate-client';
import { signedRequest } from 'jobgate-client/testing';

type Serve = (request: Request) => Promise<Response>;

interface Listening {
  readonly port: number;
  close(): Promise<void>;
}

/** The servers that the runtimes have of their own. */
interface Runtimes {
  readonly Deno?: {
    serve(
      options: { readonly port: number; readonly hostname: string; readonly onListen: () => void },
      handler: Serve,
    ): { readonly addr: { readonly port: number }; shutdown(): Promise<void> };
  };
  readonly Bun?: {
    serve(options: { readonly port: number; readonly hostname: string; readonly fetch: Serve }): {
      readonly port: number;
      stop(): Promise<void>;
    };
  };
}

const { Deno, Bun } = globalThis as Runtimes;
const runtime = Deno ? 'Deno' : Bun ? 'Bun' : 'Node.js';
const hostname = '127.0.0.1';
// Its address and token are those of the environment.
const jobgate = new Jobgate();

/** Serves on a free port by what the runtime has. */
async function listen(worker: () => WebhookWorker): Promise<Listening> {
  const fetch: Serve = (request) => worker().fetch(request);
  if (Deno) {
    const server = Deno.serve({ port: 0, hostname, onListen: () => undefined }, fetch);
    return { port: server.addr.port, close: () => server.shutdown() };
  }
  if (Bun) {
    const server = Bun.serve({ port: 0, hostname, fetch });
    return { port: server.port, close: () => server.stop() };
  }
  const { createServer } = await import('node:http');
  const server = createServer((request, response) => void worker().node(request, response));
  await new Promise<void>((resolve) => server.listen(0, hostname, resolve));
  const { port } = server.address() as { readonly port: number };
  return { port, close: () => new Promise((resolve) => server.close(() => resolve())) };
}

function works(what: string, isRight: boolean, found: unknown): void {
  if (!isRight) throw new Error(`${what}: ${JSON.stringify(found)}`);
  console.log(`  ${what}`);
}

const pulled = jobgate.queue(`${runtime}-pulled`);
const worker = jobgate.pull(pulled.name, async ({ data }, context) => {
  await context.progress(50);
  await context.log('half');
  return { got: data };
});
const done = await pulled.add('work', 'déjà').result({ timeout: 30_000 });
works('pulls and completes a job', JSON.stringify(done).includes('"got":"déjà"'), done);

let cancelled: (reason: unknown) => void = () => undefined;
let started: () => void = () => undefined;
const onCancel = new Promise((resolve) => (cancelled = resolve));
const onStart = new Promise<void>((resolve) => (started = resolve));
let deferred = '';
const handlers = {
  add: ({ data }: { readonly data: unknown }) => (data as number[]).reduce((a, b) => a + b),
  refuse: () => {
    throw new Fail('no such account');
  },
  wait: (_job: unknown, { signal }: { readonly signal: AbortSignal }) => {
    started();
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        cancelled(signal.reason);
        resolve('cancelled');
      });
    });
  },
  later: async (_job: unknown, context: { defer(): Promise<Deferred> | Deferred }) => {
    deferred = JSON.stringify(await context.defer());
    started();
  },
};
let called = createWorker({ handlers, secret: false });
const server = await listen(() => called);
const queue = jobgate.queue(`${runtime}-called`);
const url = `http://${hostname}:${server.port}/`;
const { secret } = await jobgate.workers.register({
  queue: queue.name,
  endpoint: { url, method: 'post', signing: true, accepted: 'defer' },
});
called = createWorker({ handlers, secret });

const sum = await queue.add('add', [1, 2, 3]).result({ timeout: 30_000 });
works('completes a job by a signed call', JSON.stringify(sum).includes('"returnvalue":6'), sum);

const forged = await signedRequest({ name: 'add' }, `whsec_${btoa('0'.repeat(32))}`);
const { status } = await fetch(url, {
  method: 'POST',
  headers: forged.headers,
  body: await forged.arrayBuffer(),
});
works('refuses a call that another secret signed', status === 401, status);

const refused = await queue.add('refuse', null, { attempts: 3 }).result({ timeout: 30_000 });
works('fails a job for good', JSON.stringify(refused).includes('no such account'), refused);

const waiting = await queue.add('wait', null);
await onStart;
await queue.job(waiting.id).cancel();
const reason = await onCancel;
works('ends the signal of a cancelled job', reason instanceof Error, reason);

const onDefer = new Promise<void>((resolve) => (started = resolve));
const later = await queue.add('later', null);
await onDefer;
await Deferred.from(deferred).complete('at last');
const ended = await queue.result(later.id, { timeout: 30_000 });
works('completes a deferred job', JSON.stringify(ended).includes('at last'), ended);

const leaving = new AbortController();
const events = queue.events({ events: ['completed'], signal: leaving.signal });
const event = events[Symbol.asyncIterator]().next();
// An add before the connection is open is no event of it.
let adds = 0;
const adding = setInterval(() => {
  adds += 1;
  void queue.add('add', [adds]);
}, 100);
const first = await event;
clearInterval(adding);
leaving.abort();
works('follows events', first.value?.event === 'completed', first);

await server.close();
process.kill(process.pid, 'SIGTERM');
await worker.closed;
works('closes its pull worker at SIGTERM', true, undefined);
