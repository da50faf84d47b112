import { noPolicies } from '../../support/no-policies.ts';
import { expect } from 'chai';
import { CallbackSender } from '../../../src/application/deliveries/callback-sender.ts';
import { MessageFormats } from '../../../src/adapters/outbound/hooks/message-formats.ts';
import { DeliveryFleet } from '../../../src/application/deliveries/delivery-fleet.ts';
import { DeliveryLog } from '../../../src/application/deliveries/delivery-log.ts';
import { DeliveryQueues } from '../../../src/application/deliveries/delivery-queues.ts';
import { HookSender } from '../../../src/application/deliveries/hook-sender.ts';
import { StalledSweep } from '../../../src/application/maintenance/stalled-sweep.ts';
import type { EndpointCall, SentMessage } from '../../../src/application/ports/webhook-port.ts';
import type { EndpointAnswer } from '../../../src/domain/calls/delivery.ts';
import type { Endpoint } from '../../../src/domain/calls/endpoint.ts';
import type { Hook } from '../../../src/domain/hooks/hook.ts';
import type { JobOptionsInput } from '../../../src/domain/jobs/job-options.ts';
import { newJob, type NewJob } from '../../../src/domain/jobs/job.ts';
import { CALLBACK_QUEUE, queueOfHeld, queueOfHook } from '../../../src/domain/queues/own-queue.ts';
import { RandomTokens } from '../../../src/infrastructure/random-tokens.ts';
import { listPage, take } from '../../contracts/queue-steps.ts';
import { RecordingLogger } from '../../integration/http/support/recording-logger.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { memoryStores, type MemoryStores } from '../../support/memory-stores.ts';
import { plainHook } from '../../support/plain-hook.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { RecordedWebhook } from '../../support/recorded-webhook.ts';

/** The hooks of tests are about the ends of its jobs: `alerts` and `on-call` about those that fail. */
const QUEUE = queueNamed('watched-mail');

const [MINUTE, HOUR] = [60_000, 3_600_000];

type Answer = Partial<EndpointAnswer>;

/** What one attempt sent. */
interface Sent {
  readonly endpoint: Endpoint;
  readonly message: SentMessage;
  readonly at: number;
}

/** Takes messages, and answers them as the test says. */
class Receiver extends RecordedWebhook {
  readonly sent: Sent[] = [];
  answerTo: (sent: Sent) => Answer | Promise<Answer> = () => ({});
  readonly #clock: FakeClock;

  constructor(clock: FakeClock) {
    super();
    this.#clock = clock;
  }

  override async call(called: EndpointCall): Promise<EndpointAnswer> {
    if (!('message' in called)) throw new Error('Only messages are sent here');
    const { endpoint, message } = called;
    const sent = { endpoint, message, at: this.#clock.now() };
    this.sent.push(sent);
    return { status: 200, statusText: '', headers: {}, body: '', ...(await this.answerTo(sent)) };
  }

  to(url: string): readonly Sent[] {
    return this.sent.filter(({ endpoint }) => endpoint.url === url);
  }
}

describe('DeliveryFleet', () => {
  let clock: FakeClock;
  let stores: MemoryStores;
  let receiver: Receiver;
  let logger: RecordingLogger;
  let hooks: Hook[];
  let changed: () => void;
  let deliveries: DeliveryQueues;
  let outcomes: string[];
  let fleet: DeliveryFleet;

  beforeEach(async () => {
    clock = new FakeClock();
    stores = memoryStores(clock);
    receiver = new Receiver(clock);
    logger = new RecordingLogger();
    outcomes = [];
    hooks = [
      { ...plainHook('alerts'), url: 'http://alerts.example/', events: ['job.*'], data: true },
    ];
    const { queues, attempts, jobControl: control, jobParts: parts, queueControl } = stores;
    deliveries = new DeliveryQueues({ queues, parts, control, queueControl });
    const inForce = {
      all: () => hooks,
      find: (id: string) => hooks.find((hook) => hook.id === id),
      follow: (follower: () => void) => {
        changed = follower;
      },
    };
    const sent = {
      sent: (hook: string, outcome: string) => {
        outcomes.push(`${hook} ${outcome}`);
      },
    };
    const observer = new DeliveryLog(logger, clock, sent);
    const formats = new MessageFormats(undefined);
    fleet = new DeliveryFleet({
      hooks: inForce,
      ofHooks: new HookSender({ hooks: inForce, deliveries, queues, clock, formats }),
      ofCallbacks: new CallbackSender({
        opened: (callback) => callback,
        signingOf: () => undefined,
      }),
      sweep: new StalledSweep({
        attempts,
        policies: noPolicies,
        clock,
        logger,
        observer,
        interval: 30_000,
      }),
      pause: (id, reason) => {
        hooks = hooks.map((hook) =>
          hook.id === id ? { ...hook, paused: true, pausedReason: reason } : hook,
        );
        changed();
        return Promise.resolve();
      },
      consumers: {
        attempts,
        holders: attempts,
        tokens: new RandomTokens(),
        webhook: receiver,
        clock,
        logger,
        observer,
        lockDuration: 30_000,
        renewalInterval: 5000,
      },
    });
    await fleet.start();
  });

  afterEach(() => fleet.stop(AbortSignal.abort()));

  async function fail(reason: string, opts: JobOptionsInput = {}): Promise<string> {
    await stores.queues.add(QUEUE, [newJob({ name: 'welcome', data: null, opts }, '')]);
    const attempt = await take(stores.attempts, QUEUE);
    await stores.attempts.settle(QUEUE, attempt, { kind: 'failed', reason });
    await clock.advance(1);
    return attempt.jobId;
  }

  const latest = async (hook = 'alerts') => (await deliveries.list(hook, 10))[0];

  // holds: hooks.delivered
  it('sends a message of a job that failed', async () => {
    const id = await fail('no paper');
    const [sent, ...others] = receiver.sent;
    expect(others).to.deep.equal([]);
    expect(sent?.endpoint.url).to.equal('http://alerts.example/');
    const body = JSON.parse(sent?.message.body ?? '') as { type: string; data: object };
    expect(body.type).to.equal('job.failed');
    expect(body.data).to.deep.include({ hook: 'alerts', queue: QUEUE, failedReason: 'no paper' });
    expect(body.data).to.have.nested.property('job.id', id);
    expect(await latest()).to.deep.include({
      id: sent?.message.identity.id,
      type: 'job.failed',
      state: 'delivered',
      attempts: 1,
      lastStatus: 200,
      reason: null,
      nextAt: null,
    });
    expect(outcomes).to.deep.equal(['alerts delivered']);
  });

  // holds: hooks.attempts
  it('makes eight attempts within a day, all with one id, and says so to other hooks', async () => {
    hooks.push({ ...plainHook('watch'), url: 'http://watch.example/', events: ['hook.failing'] });
    changed();
    receiver.answerTo = ({ endpoint }) =>
      endpoint.url === 'http://alerts.example/' ? { status: 503 } : {};
    await fail('no paper');
    const pending = await latest();
    expect(pending).to.deep.include({ state: 'pending', attempts: 1, lastStatus: 503 });
    expect(pending?.nextAt).to.be.within(clock.now() + 3900, clock.now() + 5000);
    await clock.advance(24 * HOUR);
    const sent = receiver.to('http://alerts.example/');
    expect(sent).to.have.lengthOf(8);
    expect(new Set(sent.map(({ message }) => message.identity.id)).size).to.equal(1);
    const pauses = sent.slice(1).map(({ at }, index) => at - (sent[index]?.at ?? 0));
    expect(pauses).to.deep.equal([...pauses].sort((one, other) => one - other));
    const delivery = await latest();
    expect(delivery).to.deep.include({ state: 'failed', attempts: 8, reason: 'HTTP 503' });
    const [told, ...others] = receiver.to('http://watch.example/');
    expect(others).to.deep.equal([]);
    expect(JSON.parse(told?.message.body ?? '')).to.deep.include({ type: 'hook.failing' });
    expect(JSON.parse(told?.message.body ?? '')).to.have.deep.property('data', {
      hook: 'watch',
      failing: 'alerts',
      delivery: delivery?.id,
      reason: 'HTTP 503',
    });
    expect(logger.lines.filter(({ level }) => level === 'warn')).to.have.lengthOf(1);
  });

  // holds: hooks.failing
  it('says only to hooks that cover the queues of a hook that it fails', async () => {
    const watching = [
      [undefined, 1],
      [['watched-*'], 1],
      [['!other'], 1],
      [[QUEUE, 'other'], 1],
      [['watched-a'], 0],
      [['watched-*', `!${QUEUE}`], 0],
    ] as const;
    for (const [index, [queues]] of watching.entries()) {
      const watch = { ...plainHook(`watch-${index}`), url: `http://watch-${index}.example/` };
      hooks.push({ ...watch, events: ['hook.failing'], ...(queues && { queues }) });
    }
    hooks = hooks.map((hook) => (hook.id === 'alerts' ? { ...hook, queues: [QUEUE] } : hook));
    changed();
    receiver.answerTo = ({ endpoint }) =>
      endpoint.url === 'http://alerts.example/' ? { status: 503 } : {};
    await fail('no paper');
    await clock.advance(24 * HOUR);
    for (const [index, [queues, times]] of watching.entries()) {
      const told = receiver.to(`http://watch-${index}.example/`);
      expect(told, String(queues)).to.have.lengthOf(times);
    }
  });

  // holds: hooks.retry-after
  it('waits as long as the receiver asks', async () => {
    receiver.answerTo = () => ({ status: 429, headers: { 'retry-after': '1800' } });
    await fail('no paper');
    await clock.advance(29 * MINUTE);
    expect(receiver.sent).to.have.lengthOf(1);
    await clock.advance(MINUTE);
    expect(receiver.sent).to.have.lengthOf(2);
    expect(await latest()).to.include({ attempts: 2 });
  });

  // holds: hooks.gone
  it('pauses a hook whose receiver answers 410, and goes on once it is resumed', async () => {
    receiver.answerTo = () => ({ status: 410 });
    await fail('no paper');
    expect(hooks[0]).to.include({ paused: true, pausedReason: 'The receiver answered 410 Gone' });
    await clock.advance(2 * HOUR);
    expect(receiver.sent).to.have.lengthOf(1);
    expect(await latest()).to.include({ state: 'pending' });
    receiver.answerTo = () => ({});
    hooks = hooks.map((hook) => ({ ...hook, paused: false }));
    changed();
    await clock.advance(1);
    expect(await latest()).to.include({ state: 'delivered', attempts: 2 });
  });

  // holds: hooks.resend
  it('sends a message again with its id, and with all its attempts', async () => {
    await fail('no paper');
    const { id = '' } = (await latest()) ?? {};
    expect(await deliveries.resend('alerts', id)).to.equal(true);
    await clock.advance(1);
    expect(receiver.sent.map(({ message }) => message.identity.id)).to.deep.equal([id, id]);
    expect(await latest()).to.include({ state: 'delivered', attempts: 1 });
    expect(await deliveries.resend('alerts', 'another')).to.equal(false);
  });

  it('forgets the messages of a hook that is removed', async () => {
    receiver.answerTo = () => ({ status: 500 });
    await fail('no paper');
    hooks = [];
    changed();
    await deliveries.remove('alerts');
    expect(await deliveries.list('alerts', 10)).to.deep.equal([]);
    await clock.advance(HOUR);
    expect(receiver.sent).to.have.lengthOf(1);
  });

  // holds: hooks.distinct
  it('says each cause of failures once in a day where only causes are asked for', async () => {
    hooks = hooks.map((hook) => ({ ...hook, events: ['job.failed'], distinct: 'cause' }));
    changed();
    for (let job = 1; job <= 20; job += 1) await fail(`order ${job} has no paper`);
    await fail('the printer is away');
    expect(receiver.sent).to.have.lengthOf(2);
    expect(await deliveries.list('alerts', 10)).to.have.lengthOf(2);
    await clock.advance(25 * HOUR);
    await fail('order 21 has no paper');
    expect(receiver.sent).to.have.lengthOf(3);
  });

  // holds: callbacks.delivered
  it('calls back with the outcome of a job', async () => {
    const callback = { url: 'http://shop.example/done', headers: { 'X-Key': 'k' } };
    const id = await fail('no paper', { callback });
    const [sent] = receiver.to(callback.url);
    expect(sent?.endpoint.headers).to.deep.equal({ 'X-Key': 'k' });
    const body = JSON.parse(sent?.message.body ?? '') as object;
    expect(body).to.deep.include({ type: 'job.failed' });
    expect(body).to.have.deep.property('data', {
      queue: QUEUE,
      id,
      name: 'welcome',
      failedReason: 'no paper',
      attemptsMade: 1,
      run: 1,
    });
  });

  // holds: callbacks.bound
  it('finds a callback that is held back, which keeps its place when it is sent again', async () => {
    const [jobId, data] = [`${QUEUE}:1:1:5`, { queue: QUEUE, id: '1' }];
    const held: NewJob = { name: 'job.failed', data, opts: { attempts: 8, delay: 0, jobId } };
    await stores.queues.add(queueOfHeld(QUEUE), [held]);
    expect(await deliveries.findCallback(jobId)).to.include({ state: 'pending', attempts: 0 });
    expect(await deliveries.resendCallback(jobId)).to.equal(true);
    expect(await deliveries.resendCallback(`${QUEUE}:2:1:5`)).to.equal(false);
    expect(receiver.sent).to.deep.equal([]);
  });

  it('counts the messages that wait, those being sent included', async () => {
    const message = { kind: 'test', type: 'hook.test', at: 1 } as const;
    expect(await deliveries.unsent('slow')).to.equal(0);
    for (const id of ['1', '2', '3']) await deliveries.add('slow', [{ id, message }]);
    await take(stores.attempts, queueOfHook('slow'));
    expect(await deliveries.unsent('slow')).to.equal(3);
  });

  it('fails a callback for good whose receiver answers 410', async () => {
    receiver.answerTo = () => ({ status: 410 });
    await fail('no paper', { callback: { url: 'http://shop.example/done' } });
    const { jobs } = await listPage(stores.queues, CALLBACK_QUEUE, FAILED);
    expect(await deliveries.findCallback(jobs[0]?.id ?? '')).to.include({
      state: 'failed',
      attempts: 1,
    });
    expect(receiver.to('http://shop.example/done')).to.have.lengthOf(1);
  });

  // holds: callbacks.origins-apart
  it('lets no origin that hangs hold up another', async () => {
    hooks = [];
    changed();
    receiver.answerTo = ({ endpoint }) =>
      endpoint.url.startsWith('http://slow') ? new Promise<Answer>(() => undefined) : {};
    for (let job = 0; job < 150; job += 1) {
      await fail('no paper', { callback: { url: `http://slow.example/${job}` } });
    }
    await fail('no paper', { callback: { url: 'http://shop.example/done' } });
    expect(receiver.to('http://shop.example/done')).to.have.lengthOf(1);
  });
});

const FAILED = { statuses: ['failed'] as const, start: 0, length: 10 };
