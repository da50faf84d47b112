import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { HttpService } from './support/http-service.ts';

const HOUR = 3_600_000;

/** The clock of the service stands at the beginning of 2025, a Wednesday. */
const START = Date.UTC(2025, 0, 1);

describe('The window of a queue', () => {
  let service: HttpService;

  before(async () => {
    service = await new HttpService().start();
  });

  after(() => service.stop());

  const call = (method: string, path: string, body?: unknown) =>
    service.request(method, path, body === undefined ? {} : { body });
  const read = async (path: string) =>
    JSON.parse((await call('GET', path)).text) as Record<string, unknown>;
  const claimed = async (queue: string) => {
    const { text } = await call('POST', `/queues/${queue}/jobs/claim`, {});
    return (JSON.parse(text) as unknown[]).length;
  };
  // Without a time zone, it is UTC.
  const window = { open: [{ from: '08:00', to: '18:00' }] };

  // holds: windows.shown, windows.starts
  it('is shown, blocks outside of it, and lists its queue as closed', async () => {
    await call('POST', '/queues/office/jobs', [{ name: 'letter', data: 1 }]);
    const saved = await call('PUT', '/queues/office/policy', { window });
    expect(JSON.parse(saved.text)).to.deep.equal({ window });
    expect(await claimed('office')).to.equal(0);
    const opensAt = START + 8 * HOUR;
    expect(await read('/queues/office')).to.deep.include({
      window: { open: false, changesAt: opensAt },
      blocked: {
        reason: 'window',
        until: opensAt,
        detail: 'The window of the queue is closed for another 8 h',
      },
    });
    const job = await read('/queues/office/jobs/1/blocked');
    expect(job).to.have.nested.property('blocked.reason', 'window');
    const closed = await read('/queues?state=closed');
    expect(closed).to.include({ total: 1 });
    expect(closed).to.have.nested.property('queues[0].name', 'office');
    expect(closed).not.to.have.nested.property('queues[0].rates');

    await service.clock.advance(8 * HOUR);
    const opened = await read('/queues/office');
    expect(opened).to.deep.include({ window: { open: true, changesAt: START + 18 * HOUR } });
    expect(await claimed('office')).to.equal(1);
  });

  it('is null in a queue without one', async () => {
    await call('POST', '/queues/always/jobs', [{ name: 'letter', data: 1 }]);
    expect(await read('/queues/always')).to.deep.include({ window: null });
  });

  for (const [wrong, message] of [
    [{ open: [], tz: 'UTC' }, 'window.open must be an array of 1 to 20 spans of time'],
    [{ open: [{ from: '8:00', to: '18:00' }], tz: 'UTC' }, 'window.open[0].from must be'],
    [{ open: [{ from: '08:00', to: '24:30' }], tz: 'UTC' }, 'window.open[0].to must be'],
    [
      { open: [{ from: '08:00', to: '08:00' }], tz: 'UTC' },
      'window.open[0].to must not be equal to from',
    ],
    [
      { open: [{ days: ['day'], from: '08:00', to: '09:00' }], tz: 'UTC' },
      'window.open[0].days must be',
    ],
    [{ open: [{ from: '08:00', to: '09:00' }], tz: 'Mars/Base' }, 'window.tz must be'],
  ] as const) {
    it(`is refused: ${message}`, async () => {
      const { status, text } = await call('PUT', '/queues/office/policy', { window: wrong });
      expect(status).to.equal(400);
      expect(text).to.include(message);
    });
  }

  // holds: windows.changed
  it('lets a client that waits have jobs as soon as it is another one', async () => {
    await call('POST', '/queues/waited/jobs', [{ name: 'letter', data: 1 }]);
    await call('PUT', '/queues/waited/policy', {
      window: { open: [{ from: '00:00', to: '00:01' }], tz: 'Pacific/Auckland' },
    });
    const { sleepers: sleeping } = service.clock;
    const waiting = call('POST', '/queues/waited/jobs/claim', { wait: 60_000 });
    await eventually('the client waits', () => Promise.resolve(service.clock.sleepers > sleeping));
    await call('DELETE', '/queues/waited/policy');
    expect(JSON.parse((await waiting).text)).to.have.lengthOf(1);
  });
});
