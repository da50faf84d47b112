import { expect } from 'chai';
import { FailureLog } from '../../../src/adapters/outbound/redis/connection/failure-log.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { RecordingLogger } from '../../integration/http/support/recording-logger.ts';

describe('FailureLog', () => {
  let logger: RecordingLogger;
  let clock: FakeClock;
  let failures: FailureLog;

  beforeEach(() => {
    logger = new RecordingLogger();
    clock = new FakeClock();
    failures = new FailureLog('It failed', logger, clock);
  });

  /** The lines since the last call, each as `<number of failures> <message>`. */
  function logged(): readonly string[] {
    return logger.lines.splice(0).map(({ level, message, fields }) => {
      expect([level, message]).to.deep.equal(['warn', 'It failed']);
      const { error } = fields as { error: { message: string } };
      return `${String(fields['failures'])} ${error.message}`;
    });
  }

  async function failEverySecond(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      failures.note(new Error('OOM command not allowed'));
      await clock.advance(1000);
    }
  }

  // holds: security.store-refusals
  it('logs a cause at once and then at growing intervals, with the number of failures since', async () => {
    await failEverySecond(1);
    expect(logged()).to.deep.equal(['1 OOM command not allowed']);
    await failEverySecond(9);
    expect(logged()).to.deep.equal([]);
    await failEverySecond(1);
    expect(logged()).to.deep.equal(['10 OOM command not allowed']);
    await failEverySecond(20);
    expect(logged()).to.deep.equal(['20 OOM command not allowed']);
    await failEverySecond(3600);
    expect(logged()).to.have.lengthOf.within(7, 11);
  });

  it('logs every distinct cause, and treats causes that differ only in numbers or digests as one', () => {
    failures.note(new Error('NOPERM no permissions to run evalsha'));
    failures.note(new Error('connect ECONNREFUSED 127.0.0.1:6379'));
    failures.note(new Error('connect ECONNREFUSED 127.0.0.1:6380'));
    failures.note(new Error(`OOM script: ${'0123456789'.repeat(4)}`));
    failures.note(new Error(`OOM script: ${'abcdefabcd'.repeat(4)}`));
    expect(logged()).to.have.lengthOf(3);
  });

  it('logs a cause as new after a long absence', async () => {
    await failEverySecond(60);
    logged();
    await clock.advance(700_000);
    await failEverySecond(1);
    expect(logged()).to.deep.equal(['1 OOM command not allowed']);
  });

  it('copes with any number of causes', () => {
    for (let cause = 0; cause < 1000; cause += 1) failures.note(new Error('x'.repeat(cause % 190)));
    expect(logged().length).to.be.above(190);
  });

  it('never repeats the arguments of a command, nor a text of any length', () => {
    failures.note(new Error("ERR unknown command 'evalsha', with args beginning with: 'secret' "));
    failures.note(new Error(`ERR ${'x'.repeat(5000)}`));
    const lines = logged();
    expect(lines[0]).to.equal("1 ERR unknown command 'evalsha'");
    expect(lines[1]).to.have.lengthOf.below(210);
  });
});
