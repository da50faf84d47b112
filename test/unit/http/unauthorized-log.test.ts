import { expect } from 'chai';
import { useFakeTimers, type SinonFakeTimers } from 'sinon';
import { UnauthorizedLog } from '../../../src/adapters/inbound/exchange/unauthorized-log.ts';
import { RecordingLogger } from '../../integration/http/support/recording-logger.ts';

const WORKERS = '/workers';
const PROGRESS = '/queues/:queue/jobs/:jobId/progress';

describe('UnauthorizedLog', () => {
  let time: SinonFakeTimers;
  let logger: RecordingLogger;
  let log: UnauthorizedLog;

  beforeEach(() => {
    time = useFakeTimers({ toFake: ['setTimeout'] });
    logger = new RecordingLogger();
    log = new UnauthorizedLog(logger);
  });
  afterEach(() => {
    time.restore();
  });

  const logged = (): unknown[] => logger.lines.map(({ fields }) => fields);

  it('logs the first refusal at once', () => {
    log.add(WORKERS, '10.0.0.1');
    expect(logger.lines).to.deep.equal([
      {
        level: 'warn',
        message: 'Requests without a valid token were refused',
        fields: { count: 1, routes: { [WORKERS]: 1 }, addresses: { '10.0.0.1': 1 } },
      },
    ]);
  });

  // holds: security.unauthorized-counted
  it('logs the following ones in one line every ten seconds, counted by route', () => {
    log.add(WORKERS, '10.0.0.1');
    for (let n = 0; n < 1000; n += 1) log.add(WORKERS, '10.0.0.1');
    log.add(PROGRESS, '10.0.0.2');
    time.tick(9_999);
    expect(logged()).to.have.lengthOf(1);
    time.tick(1);
    log.add(PROGRESS, '10.0.0.2');
    time.tick(10_000);
    expect(logged().slice(1)).to.deep.equal([
      {
        count: 1001,
        routes: { [WORKERS]: 1000, [PROGRESS]: 1 },
        addresses: { '10.0.0.1': 1000, '10.0.0.2': 1 },
      },
      { count: 1, routes: { [PROGRESS]: 1 }, addresses: { '10.0.0.2': 1 } },
    ]);
  });

  it('names a bounded number of addresses', () => {
    log.add(WORKERS, '10.0.0.1');
    for (let n = 0; n < 1000; n += 1) log.add(WORKERS, `10.0.1.${n}`);
    time.tick(10_000);
    const { addresses } = logger.lines[1]!.fields as { addresses: Record<string, number> };
    expect(Object.keys(addresses)).to.have.lengthOf(21);
    expect(addresses).to.include({ '10.0.1.0': 1, other: 980 });
  });

  it('is silent while no request is refused, and then logs at once again', () => {
    log.add(WORKERS, '10.0.0.1');
    time.tick(60_000);
    expect(logged()).to.have.lengthOf(1);
    log.add(WORKERS, '10.0.0.1');
    expect(logged()).to.have.lengthOf(2);
  });
});
