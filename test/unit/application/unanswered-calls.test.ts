import { expect } from 'chai';
import { AttemptLog } from '../../../src/application/attempts/attempt-log.ts';
import type { Job } from '../../../src/domain/jobs/job.ts';
import type { AttemptEnding } from '../../../src/domain/attempts/ending.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { queueNamed } from '../../support/queue-named.ts';
import { RecordingLogger } from '../../integration/http/support/recording-logger.ts';

const QUEUE = queueNamed('mail');
const reason = 'ECONNREFUSED http://localhost:3000';
const call = { outcome: 'refused' } as const;
const FAILED: AttemptEnding = { kind: 'failed', reason, call };

const JOB: Job = {
  id: '1',
  queue: QUEUE,
  state: 'active',
  name: 'a',
  data: null,
  opts: { attempts: 1, delay: 0 },
  progress: 0,
  returnvalue: null,
  stacktrace: null,
  attemptsStarted: 1,
  attemptsMade: 0,
  delay: 0,
  timestamp: 1,
};

describe('The log, when nothing listens at an endpoint', () => {
  let logger: RecordingLogger;
  let log: AttemptLog;

  beforeEach(() => {
    logger = new RecordingLogger();
    log = new AttemptLog(logger, new FakeClock());
  });

  function end(times: number, ending: AttemptEnding): void {
    for (let count = 0; count < times; count += 1) {
      log.observe({
        kind: 'ended',
        queue: QUEUE,
        attempt: { job: JOB, jobId: JOB.id, token: 't' },
        worker: { queue: QUEUE, endpoint: { url: 'http://localhost:3000/', method: 'post' } },
        result: { ending },
        duration: 1,
        beginsHold: false,
        breaker: undefined,
      });
    }
  }

  const lines = () =>
    logger.lines.filter(({ message }) => message.startsWith('Ten jobs in a row failed'));

  // holds: log.unanswered
  it('says once, at the tenth job in a row, what keeps jobs and what brings them back', () => {
    end(9, FAILED);
    end(3, { kind: 'retry', reason, delay: 0, call });
    expect(lines()).to.deep.equal([]);
    end(500, FAILED);
    expect(lines()).to.have.lengthOf(1);
    const [line] = lines();
    expect(line?.message).to.include('opts.breaker').and.to.include('attempts');
    expect(line?.level).to.equal('warn');
    expect(line?.fields).to.deep.equal({
      queue: QUEUE,
      reason,
      retry: 'jobgate retry mail --cause 1',
    });
    end(1, { kind: 'completed', returnvalue: null, call: { outcome: 'completed' } });
    end(10, FAILED);
    expect(lines()).to.have.lengthOf(2);
  });

  // holds: log.unanswered
  it('says nothing while an endpoint answers between', () => {
    for (let row = 0; row < 5; row += 1) {
      end(9, FAILED);
      end(1, { kind: 'failed', reason: 'Busy', call: { outcome: 'failed', status: 500 } });
    }
    expect(lines()).to.deep.equal([]);
  });
});
