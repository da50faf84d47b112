import { noPolicies } from '../../support/no-policies.ts';
import { expect } from 'chai';
import { AttemptLog } from '../../../src/application/attempts/attempt-log.ts';
import { CallCapacity } from '../../../src/application/calls/call-capacity.ts';
import { QueueConsumer } from '../../../src/application/calls/queue-consumer.ts';
import type { QueueName } from '../../../src/domain/queues/queue-name.ts';
import { RandomTokens } from '../../../src/infrastructure/random-tokens.ts';
import { addOne, read } from '../../contracts/queue-steps.ts';
import { RecordingLogger } from '../../integration/http/support/recording-logger.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { memoryStores } from '../../support/memory-stores.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { RecordedWebhook } from '../../support/recorded-webhook.ts';

const DOUBT = 'The answer cannot be read as JSON, so its text is the return value';

describe('an endpoint whose JSON cannot be parsed', () => {
  // holds: delivery.doubt
  it('completes its jobs, logs one line per minute and queue, and records why in the attempts', async () => {
    const clock = new FakeClock();
    const { queues, attempts } = memoryStores(clock);
    const webhook = new RecordedWebhook();
    const logger = new RecordingLogger();
    const consumers = [queueNamed('mail'), queueNamed('paint')].map((queue) => {
      const endpoint = { url: 'http://localhost:1/', method: 'post' } as const;
      const consumer = new QueueConsumer(
        { queue, endpoint },
        {
          attempts,
          holders: attempts,
          policies: noPolicies,
          tokens: new RandomTokens(),
          webhook,
          clock,
          logger,
          observer: new AttemptLog(logger, clock),
          lockDuration: 600_000,
          renewalInterval: 5000,
          capacity: new CallCapacity(clock, logger),
          disable: () => Promise.resolve(),
          notifyClosed: () => undefined,
        },
      );
      consumer.start();
      return consumer;
    });
    let calls = 0;
    const answerOne = async (queue: QueueName): Promise<string> => {
      const { id } = await addOne(queues, queue);
      const call = await webhook.nth(calls++);
      call.answer(200, '{broken', { 'content-type': 'application/json' });
      await clock.advance(0);
      expect(await read(queues, queue, id)).to.include({ state: 'completed' });
      return id;
    };
    const lines = (): unknown[] =>
      logger.lines
        .filter(({ message }) => message === 'A job completed with unreadable JSON')
        .map(({ fields }) => fields);

    const [mail, paint] = consumers.map(({ worker }) => worker.queue) as [QueueName, QueueName];
    const first = await answerOne(mail);
    await clock.advance(59_000);
    const second = await answerOne(mail);
    const other = await answerOne(paint);
    await clock.advance(1000);
    const third = await answerOne(mail);
    expect(lines()).to.deep.equal([
      { queue: mail, job: first, attempt: 1, reason: DOUBT },
      { queue: paint, job: other, attempt: 1, reason: DOUBT },
      { queue: mail, job: third, attempt: 1, reason: DOUBT },
    ]);
    const recorded = await queues.attempts(mail, second);
    expect(recorded?.attempts[0]).to.include({ outcome: 'completed', reason: DOUBT });
    await Promise.all(consumers.map((consumer) => consumer.stop()));
  });
});
