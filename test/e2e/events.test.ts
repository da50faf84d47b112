import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { expect } from 'chai';
import { EndpointServer } from '../support/endpoint-server.ts';
import { eventually } from '../support/eventually.ts';
import { EventStream, type StreamedEvent } from '../support/event-stream.ts';
import { testStore } from '../support/redis/test-store.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { StartedServices } from '../support/started-services.ts';

const AUTHORIZED = { Authorization: `Bearer ${ServiceProcess.token}` };

/** A connection is lost after this many milliseconds or this many events, whichever comes first. */
const CONNECTION_LIFE = 50;
const EVENTS_OF_A_CONNECTION = 200;

/** Whether a client has received enough. */
type IsOver = (told: readonly StreamedEvent[]) => boolean;

describe('Events of the service', () => {
  const services = new StartedServices();
  let environment: Record<string, string>;
  let queue: string;

  beforeEach(async () => {
    queue = randomUUID();
    environment = { STORE_URI: (await testStore()).uri, WORKER_METADATA_KEY: `workers:${queue}` };
  });

  afterEach(() => services.kill());

  const add = async (service: ServiceProcess, count: number): Promise<string[]> => {
    const jobs = Array.from({ length: count }, () => ({ name: 'work', data: null }));
    const { status, body } = await service.call('POST', `/queues/${queue}/jobs`, jobs);
    expect(status).to.equal(200);
    return (body as { id: string }[]).map(({ id }) => id);
  };

  /** Follows from the beginning, and reconnects to another replica each time the connection is lost. */
  const followWithLosses = async (
    replicas: readonly ServiceProcess[],
    isOver: IsOver,
  ): Promise<{ told: readonly StreamedEvent[]; connections: number }> => {
    const told: StreamedEvent[] = [];
    let lastEventId = '0-0';
    let connections = 0;
    for (; !isOver(told); connections += 1) {
      const { url } = replicas[connections % replicas.length]!;
      const stream = await EventStream.open(`${url}/queues/${queue}/events`, {
        ...AUTHORIZED,
        'Last-Event-ID': lastEventId,
      });
      const loss = setTimeout(() => {
        stream.close();
      }, CONNECTION_LIFE);
      const before = told.length;
      for (let event = await stream.next(); event !== undefined; event = await stream.next()) {
        told.push(event);
        if (isOver(told) || told.length - before >= EVENTS_OF_A_CONNECTION) stream.close();
      }
      clearTimeout(loss);
      ({ lastEventId } = stream);
    }
    return { told, connections };
  };

  const jobsOf = (told: readonly StreamedEvent[], name: string) =>
    told.filter(({ event }) => event === name).map(({ data: { jobId } }) => jobId);

  // holds: events.resume, events.replicas
  it('reach a client once each, under load, while its connections are lost again and again', async () => {
    const jobs = 1000;
    const replicas = [await services.start(environment), await services.start(environment)];
    const endpoint = await EndpointServer.start();
    const worker = {
      queue,
      endpoint: { url: endpoint.url, method: 'post' },
      opts: { concurrency: 20 },
    };
    expect((await replicas[0]!.call('POST', '/workers', worker)).status).to.equal(200);
    const isOver: IsOver = (told) => told.at(-1)?.event === 'drained' && completed(told) === jobs;
    const completed = (told: readonly StreamedEvent[]) => jobsOf(told, 'completed').length;
    const following = followWithLosses(replicas, isOver);
    const added: string[] = [];
    while (added.length < jobs) added.push(...(await add(replicas[0]!, 50)));
    const { told, connections } = await following;
    await endpoint.close();
    expect(jobsOf(told, 'gap')).to.deep.equal([]);
    for (const name of ['added', 'waiting']) expect(jobsOf(told, name)).to.deep.equal(added);
    for (const name of ['active', 'completed']) {
      expect(jobsOf(told, name)).to.have.lengthOf(jobs).and.to.have.members(added);
    }
    expect(connections).to.be.greaterThan(10);
  }).timeout(60_000);

  // holds: events.gap, events.kept
  it('reach it once each, or are reported as a gap, if fewer are kept than it misses', async () => {
    const service = await services.start({ ...environment, EVENTS_KEPT: '100' });
    let added: string[] = [];
    let isAdding = true;
    const isOver: IsOver = (told) => !isAdding && jobsOf(told, 'added').at(-1) === added.at(-1);
    const adding = (async () => {
      for (let batch = 0; batch < 40; batch += 1) added = added.concat(await add(service, 100));
      isAdding = false;
    })();
    const { told } = await followWithLosses([service], isOver);
    await adding;
    const ids = told.map(({ id }) => id);
    expect(ids).to.have.lengthOf(new Set(ids).size);
    let next = 0;
    let isMissing = false;
    for (const { event, data } of told) {
      if (event === 'gap') isMissing = true;
      if (event !== 'added') continue;
      const place = added.indexOf(data.jobId!);
      if (isMissing) expect(place).to.be.at.least(next);
      else expect(place).to.equal(next);
      next = place + 1;
      isMissing = false;
    }
    expect(next).to.equal(added.length);
    expect(jobsOf(told, 'gap')).not.to.have.lengthOf(0);
  }).timeout(60_000);

  // holds: events.follow, events.shutdown
  it('are shown by curl, whose stream ends first at SIGTERM', async () => {
    const service = await services.start({ ...environment, DRAIN_TIME: '10000' });
    const curl = spawn('curl', [
      '--silent',
      '--no-buffer',
      '--header',
      `Authorization: ${AUTHORIZED.Authorization}`,
      `${service.url}/queues/${queue}/events`,
    ]);
    await once(curl, 'spawn').catch((error: unknown) => {
      throw new Error('This test runs curl: install it and put it on the PATH', { cause: error });
    });
    const ended = once(curl, 'close');
    let shown = '';
    curl.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()));
    const blocks = (count: number) =>
      eventually(`curl shows ${count} blocks`, () =>
        Promise.resolve(shown.split('\n\n').length > count),
      );
    await blocks(1);
    await add(service, 1);
    await blocks(3);
    service.signal('SIGTERM');
    expect(await ended).to.deep.equal([0, null]);
    const id = String.raw`id: \d+-\d+`;
    const data = String.raw`data: \{"queue":"${queue}","timestamp":\d+,"jobId":"1"`;
    expect(shown).to.match(
      new RegExp(
        `^:\nid: 0-0\n\n` +
          `${id}\nevent: added\n${data},"name":"work"}\n\n` +
          `${id}\nevent: waiting\n${data}}\n\n` +
          `retry: 1000\n\n$`,
      ),
    );
    expect((await fetch(`${service.url}/health/live`)).status).to.equal(200);
  });
});
