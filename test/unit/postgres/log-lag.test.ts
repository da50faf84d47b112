import { expect } from 'chai';
import sinon from 'sinon';
import { DatabaseError } from '../../../src/adapters/outbound/postgres/driver/database.ts';
import { LogLag } from '../../../src/adapters/outbound/postgres/log/log-lag.ts';
import { RecordingLogger } from '../../integration/http/support/recording-logger.ts';

describe('the lag of a replica', () => {
  let time: sinon.SinonFakeTimers;
  let logger: RecordingLogger;
  let isAway: boolean;
  let lag: LogLag;

  beforeEach(() => {
    time = sinon.useFakeTimers({ toFake: ['performance'] });
    logger = new RecordingLogger();
    isAway = false;
    const away = new DatabaseError('away', undefined, undefined);
    lag = new LogLag(
      { query: () => (isAway ? Promise.reject(away) : Promise.resolve([])) },
      logger,
    );
    // A start takes as long as it takes.
    time.tick(20_000);
    lag.caughtUp(performance.now());
  });

  afterEach(() => {
    time.restore();
  });

  it('is that since the memory had all rounds, and the largest one of the last minute', () => {
    time.tick(7000);
    expect([lag.ms, lag.most]).to.deep.equal([7000, 7000]);
    const mostEachSecond: number[] = [];
    for (let second = 0; second <= 60; second += 1) {
      lag.caughtUp(performance.now());
      mostEachSecond.push(lag.most);
      time.tick(1000);
    }
    expect(mostEachSecond).to.deep.equal([...Array.from({ length: 60 }, () => 7000), 0]);
  });

  it('does not count while the server is away, which others report', async () => {
    isAway = true;
    for (let second = 0; second < 20; second += 1) {
      time.tick(1000);
      await lag.watch();
    }
    expect(lag.most).to.be.below(5000);
    expect(logger.lines).to.deep.equal([]);
  });

  // holds: store.postgres-behind
  it('has a line when it begins to count and one when it is over', async () => {
    for (let second = 0; second < 20; second += 1) {
      time.tick(1000);
      await lag.watch();
    }
    lag.caughtUp(performance.now());
    lag.caughtUp(performance.now());
    expect(logger.lines).to.deep.equal([
      { level: 'warn', message: 'This replica is behind the log', fields: { lag: 5000 } },
      {
        level: 'info',
        message: 'This replica has caught up with the log',
        fields: { lag: 20_000 },
      },
    ]);
  });
});
