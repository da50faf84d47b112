import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { OutgoingHttpHeaders } from 'node:http';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import type { JobJson } from '../../../src/domain/jobs/job-json.ts';
import { PROGRAM, runWith } from '../../support/command-line.ts';
import { answer, type EndpointCall, type EndpointServer } from '../../support/endpoint-server.ts';
import { eventually } from '../../support/eventually.ts';
import { isSlowLane } from '../../support/lane.ts';
import { Mailbox } from '../../support/mailbox.ts';
import { ServiceProcess } from '../../support/service-process.ts';
import { StartedServices } from '../../support/started-services.ts';
import { ServiceContext } from '../service/context.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** The headers of a call that depend on its time. */
const TIMED = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

/** The text of a call without its token and times. */
const timeless = (text: string): string =>
  text
    .replace(/"token":"[^"]+"/, '"token":""')
    .replaceAll(/"(timestamp|processedOn)":\d+/g, '"$1":0');

/** The answers of an endpoint; each is followed by a job of its own. */
const ANSWERS: readonly (readonly [number, unknown, OutgoingHttpHeaders?])[] = [
  [200, { sent: true }],
  [204, ''],
  [202, { later: 1 }],
  [200, 'plain'],
  [200, '{', { 'content-type': 'application/json' }],
  [500, 'No room'],
  [500, { error: { message: 'No paper' } }],
  [301, '', { location: '/elsewhere' }],
  [422, 'Never', { 'jobgate-no-retry': 'true' }],
  [400, 'Gone', { 'webhook-delivery': 'abort-message' }],
  [500, 'Later', { 'retry-after': '3600' }],
  [429, 'Too many', { 'retry-after': '3600' }],
  [503, 'Not this one', { 'retry-after': '3600', 'jobgate-hold': 'job' }],
  [429, 'Group', { 'retry-after': '3600', 'jobgate-hold': 'group' }],
];

/** Answers 206, with the outcome and the reason that `listen` prints of each. */
const STEPS = [
  [{ steps: { charge: 1 }, sleep: { rest: 3_600_000 } }, 'suspended'],
  [{ waitFor: { paid: { signal: 'paid:17' } } }, 'suspended'],
  [{ sleep: { rest: 0 } }, 'failed', 'sleep.rest must be an integer from 1 to 31536000000'],
  ['wrong', 'failed', '206 needs a JSON object of steps to save or to await'],
  [{ steps: { charge: 'x'.repeat(262_144) } }, 'failed', 'Step charge exceeds 256 kB'],
] as const;

describe('jobgate listen', () => {
  const services = new StartedServices();
  let service: ServiceProcess;
  const context = new ServiceContext(() => service);

  before(async () => {
    service = await services.start({ STORE: 'memory', PUBLIC_URL: 'http://jobs.example.com' });
  });
  afterEach(() => context.cleanUp());
  after(() => services.kill());

  function listen(queue: string, endpoint: EndpointServer, ...more: string[]) {
    const env = {
      PATH: process.env['PATH'],
      XDG_CONFIG_HOME: '/nonexistent',
      JOBGATE_URL: service.url,
      JOBGATE_TOKEN: ServiceProcess.token,
    };
    const args = [PROGRAM, 'listen', queue, '--forward-to', endpoint.url, ...more];
    const child = spawn(process.execPath, args, { env });
    const lines = new Mailbox<string>();
    const errors = new Mailbox<string>();
    createInterface(child.stdout).on('line', (line) => lines.put(line));
    createInterface(child.stderr).on('line', (line) => errors.put(line));
    const ended = once(child, 'exit');
    const stop = async (): Promise<void> => {
      child.kill('SIGINT');
      expect(await ended).to.deep.equal([0, null]);
    };
    return { lines, errors, stop };
  }

  const add = (queue: string, opts: object = {}) =>
    context.add(queue, { name: 'ship', data: { b: 1, '2': ['ä', 1e21] }, opts });

  // holds: listen.call
  it('calls an endpoint as a registered worker does, byte for byte', async () => {
    const queue = context.newQueue();
    const endpoint = await context.newEndpoint();
    const opts = { jobId: 'one', attempts: 3, timeout: 5000, group: { id: 'acme' }, priority: 2 };
    await context.register(queue, endpoint, { signing: true, timeout: 20_000 });
    const calls: EndpointCall[] = [];
    for (const by of ['worker', 'listen'] as const) {
      if (by === 'listen') await context.call('POST', `/workers/${queue}/disable`, {});
      await add(queue, opts);
      const listening =
        by === 'listen' ? listen(queue, endpoint, '--signing-secret', SECRET) : undefined;
      calls.push(await endpoint.nextCall());
      await context.finished(queue, 'one');
      await listening?.stop();
      await context.call('DELETE', `/queues/${queue}/jobs/one`);
    }
    const [, { headers, text }] = calls as [EndpointCall, EndpointCall];
    new Webhook(SECRET).verify(text, headers as Record<string, string>);
    const [registered, forwarded] = calls.map((call) => {
      const { 'jobgate-callback': callback, ...headers } = call.headers;
      const shown = Object.entries(headers).map(
        ([name, value]) => [name, TIMED.includes(name) ? '' : value] as const,
      );
      return { ...call, callback, headers: shown, text: timeless(call.text) };
    });
    expect(forwarded!.text).to.equal(registered!.text).and.include('"attemptsMade":0');
    expect(forwarded!.headers).to.deep.equal(registered!.headers);
    expect([forwarded!.method, forwarded!.path]).to.deep.equal([
      registered!.method,
      registered!.path,
    ]);
    expect(registered!.callback).to.equal(`http://jobs.example.com/queues/${queue}/jobs/one`);
    expect(forwarded!.callback).to.equal(`${service.url}/queues/${queue}/jobs/one`);
  });

  // holds: listen.answer
  it('treats each answer as a registered worker does', async () => {
    const endpoint = await context.newEndpoint();
    // Each has two programs started.
    for (const answered of ANSWERS.filter((_, index) => isSlowLane || index % 2 === 0)) {
      endpoint.respond = answer(...answered);
      const outcomes: unknown[] = [];
      for (const by of ['worker', 'listen'] as const) {
        const queue = context.newQueue();
        if (by === 'worker') await context.register(queue, endpoint);
        const [added] = await add(queue, {
          attempts: 3,
          backoff: { type: 'fixed', delay: 3_600_000 },
          group: { id: 'acme' },
        });
        const listening = by === 'listen' ? listen(queue, endpoint) : undefined;
        await endpoint.nextCall();
        outcomes.push(await settled(queue, added!.id));
        await listening?.stop();
      }
      expect(outcomes[1], JSON.stringify(answered)).to.deep.equal(outcomes[0]);
    }
  }).timeout(120_000);

  /** What is to be seen of a job that is not active any more, and of what it waits for. */
  async function settled(queue: string, id: string): Promise<unknown> {
    const job = await eventually(`job ${id} of ${queue} settles`, async () => {
      const { body } = await context.call('GET', `/queues/${queue}/jobs/${id}`);
      const read = body as JobJson & { readonly state: string };
      return read.state !== 'active' && read;
    });
    const { state, attemptsMade, returnvalue, failedReason, stacktrace, delay } = job;
    const { body } = await context.call('GET', `/queues/${queue}`);
    const { heldUntil } = body as { readonly heldUntil: number | null };
    const group = await context.call('GET', `/queues/${queue}/groups/acme`);
    const held = (group.body as { readonly heldUntil: number | null }).heldUntil;
    return {
      state,
      attemptsMade,
      returnvalue,
      failedReason,
      stacktrace,
      delay: Math.round(delay / 60_000),
      isHeld: heldUntil !== null,
      isGroupHeld: held !== null,
    };
  }

  // holds: listen.answer
  it('takes an answer 206 as a worker with steps does, though none is registered', async () => {
    for (const [answered, ...outcome] of STEPS.filter(
      (_, index) => isSlowLane || index % 2 === 0,
    )) {
      const endpoint = await context.newEndpoint(answer(206, answered));
      const outcomes: unknown[] = [];
      for (const by of ['worker', 'listen'] as const) {
        const queue = context.newQueue();
        if (by === 'worker') await context.register(queue, endpoint, { steps: true });
        const [added] = await add(queue, { attempts: 2, backoff: 3_600_000 });
        const listening = by === 'listen' ? listen(queue, endpoint, '--json') : undefined;
        await endpoint.nextCall();
        const seen = await settled(queue, added!.id);
        const path = `/queues/${queue}/jobs/${added!.id}`;
        const { suspended } = (await context.call('GET', path)).body as {
          suspended: object | null;
        };
        const { steps } = (await context.call('GET', `${path}/steps`)).body as {
          steps: { name: string }[];
        };
        const names = steps.map(({ name }) => name);
        outcomes.push({ seen, names, suspended: suspended && { ...suspended, until: 0 } });
        if (listening !== undefined) {
          const line = JSON.parse(await listening.lines.take()) as Record<string, unknown>;
          const [kind, reason = null] = outcome;
          expect([line['outcome'], line['status'], line['reason']]).to.deep.equal([
            kind,
            206,
            reason,
          ]);
        }
        await listening?.stop();
      }
      expect(outcomes[1]).to.deep.equal(outcomes[0]);
    }
  }).timeout(120_000);

  // holds: listen.answer
  it('calls again at once with the steps that it saved', async () => {
    const queue = context.newQueue();
    const endpoint = await context.newEndpoint((call, response) => {
      const { steps = {} } = call.body as { steps?: object };
      const isDone = 'charge' in steps;
      void answer(isDone ? 200 : 206, isDone ? steps : { steps: { charge: 1 } })(call, response);
    });
    const { stop } = listen(queue, endpoint);
    const [job] = await add(queue);
    expect(await context.finished(queue, job!.id)).to.deep.include({ returnvalue: { charge: 1 } });
    expect((await endpoint.nextCall()).headers).not.to.have.property('jobgate-steps');
    expect((await endpoint.nextCall()).headers).to.include({ 'jobgate-steps': '1' });
    await stop();
  });

  // holds: listen.answer
  it('leaves a job to an endpoint that accepted it, as its registration says', async () => {
    const queue = context.newQueue();
    const endpoint = await context.newEndpoint(answer(202));
    await context.register(queue, endpoint, { accepted: 'defer' });
    await context.call('POST', `/workers/${queue}/disable`, {});
    const { lines, stop } = listen(queue, endpoint);
    const [job] = await add(queue);
    const call = await endpoint.nextCall();
    expect(await lines.take()).to.match(/ {2}ship {2}accepted {2}202 {2}/);
    await stop();
    const path = `/queues/${queue}/jobs/${job!.id}/complete`;
    expect((await context.call('POST', path, { done: 1 }, call.body.token)).status).to.equal(200);
    expect(await context.finished(queue, job!.id)).to.deep.include({ returnvalue: { done: 1 } });
  });

  // holds: listen.stop
  it('prints a line for each call, and gives back what it holds on Ctrl-C', async () => {
    const queue = context.newQueue();
    const endpoint = await context.newEndpoint(answer(500, 'No room'));
    const { lines, errors, stop } = listen(queue, endpoint, '--json');
    expect(await errors.take()).to.equal(
      `Calling ${endpoint.url} for the jobs of ${queue} until Ctrl-C`,
    );
    await add(queue, { attempts: 2, backoff: { type: 'fixed', delay: 3_600_000 } });
    const { durationMs, ...line } = JSON.parse(await lines.take()) as Record<string, unknown>;
    expect(durationMs).to.be.a('number');
    expect(line).to.deep.equal({
      job: '1',
      name: 'ship',
      outcome: 'failed',
      status: 500,
      reason: 'No room',
      againIn: 3_600_000,
    });
    await endpoint.nextCall();
    endpoint.respond = () => undefined;
    await add(queue);
    await endpoint.nextCall();
    await stop();
    expect(await lines.take()).to.include('"outcome":"released"');
    expect(await context.read(queue, '2')).to.include({ state: 'waiting', attemptsMade: 0 });
  });

  // holds: listen.stop, command-line.exit
  it('refuses what no worker could be registered with', async () => {
    const run = (...args: string[]) =>
      runWith({ JOBGATE_URL: service.url, JOBGATE_TOKEN: ServiceProcess.token }, [
        'listen',
        'mail',
        ...args,
      ]);
    for (const [args, errors] of [
      [[], 'Give --forward-to, such as --forward-to http://localhost:3000/hook'],
      [
        ['--forward-to', 'localhost:3000'],
        '--forward-to must be a valid http or https URL without user name or password',
      ],
      [
        ['--forward-to', 'http://localhost:3000', '--signing-secret', 'secret'],
        '--signing-secret must be whsec_ and base64',
      ],
    ] as const) {
      expect(await run(...args)).to.deep.equal({
        code: 2,
        output: '',
        errors: `jobgate: ${errors}\n`,
      });
    }
  });
});
