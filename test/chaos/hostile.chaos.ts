import type { Socket } from 'node:net';
import { expect } from 'chai';
import { Attack, type Damage } from '../support/attack.ts';
import { eventually } from '../support/eventually.ts';
import { HostileEndpoint } from '../support/hostile-endpoint.ts';
import { MemoryWatch } from '../support/process-memory.ts';
import { ServiceProcess } from '../support/service-process.ts';
import { fileLimit } from './support/file-limit.ts';

/** As many as the machine lets one process have, with files to spare for what else it does. */
const CONNECTIONS = Math.min(10_000, fileLimit() - 1000);

/** So many are opened at once, fewer than the system queues for a server. */
const BATCH = 200;

const AUTHORIZED = `Host: localhost\r\nAuthorization: Bearer ${ServiceProcess.token}\r\n`;
const REPORT = `POST /queues/victim/jobs/1/progress HTTP/1.1\r\n${AUTHORIZED}`;
const ADD = `POST /queues/victim/jobs HTTP/1.1\r\n${AUTHORIZED}`;
const GET = `GET /workers HTTP/1.1\r\n${AUTHORIZED}`;

/** Does something many times, a batch of them at once. */
async function batches(count: number, act: (index: number) => Promise<unknown>): Promise<void> {
  for (let begun = 0; begun < count; begun += BATCH) {
    const size = Math.min(BATCH, count - begun);
    await Promise.all(Array.from({ length: size }, (_, index) => act(begun + index)));
  }
}

function print(facts: Readonly<Record<string, string | number>>): void {
  const words = Object.entries(facts).map(([name, value]) => `${name} ${value}`);
  console.log(`        ${words.join(', ')}`);
}

/** Prints the figures of an attack, and sees that nobody else was harmed. */
function expectNoHarm(connections: number, { statuses, bystander, memory }: Damage): void {
  const { before, peak, now } = memory;
  print({
    connections,
    answers: JSON.stringify(statuses),
    'served meanwhile': bystander.served,
    'slowest ms': bystander.slowest.toFixed(0),
    'RSS MB before': before,
    peak,
    after: now,
  });
  expect(bystander.failures).to.deep.equal([]);
  expect(bystander.slowest).to.be.below(5000);
  expect(peak - before, 'megabytes more').to.be.below(400);
}

describe('hostile clients in their thousands', () => {
  let service: ServiceProcess;

  beforeEach(async () => {
    expect(CONNECTIONS, 'connections, by the limit of open files').to.be.at.least(2000);
    const limits = { MAX_CONNECTIONS: String(CONNECTIONS) };
    service = await ServiceProcess.start({ STORE: 'memory', ...limits });
  });
  afterEach(async () => {
    expect(await service.stop()).to.deep.equal({ code: 0, signal: null });
    expect(service.logs.filter(({ level }) => level === 'error')).to.deep.equal([]);
  });

  it('as many connections as there may be, silent or dripping headers: refused beyond, cut off in time', async () => {
    const damage = await Attack.on(service, async (attack, bystander) => {
      const sockets: Socket[] = [];
      await batches(CONNECTIONS - 1, async () => {
        sockets.push(await attack.connect());
      });
      const silent = sockets.splice(0, sockets.length / 2);
      await bystander.another();
      await batches(BATCH, () => attack.connect());
      await service.logged('Connection limit reached: new connections were refused');
      await bystander.another();
      for (const socket of sockets) socket.write(GET);
      const dripping = setInterval(() => {
        for (const socket of sockets) if (socket.writable) socket.write('X: y\r\n');
      }, 2000);
      // Headers may take 15 seconds, and it may take 5 more until that is noticed.
      await eventually('all are cut off', () => Promise.resolve(attack.open === 0), 40_000);
      clearInterval(dripping);
      expect(silent.length).to.be.at.least(CONNECTIONS / 2 - 1);
      expect(attack.statuses).to.deep.equal({ 408: CONNECTIONS - 1 });
    });
    expectNoHarm(CONNECTIONS - 1, damage);
    expect(damage.memory.now - damage.memory.before, 'megabytes left').to.be.below(250);
  }).timeout(120_000);

  it('as many connections as there may be, idle between requests: the others are served', async () => {
    const attacks: Damage[] = [];
    // The second time shows that nothing of the first is left.
    for (let round = 0; round < 2; round += 1) {
      const damage = await Attack.on(service, async (attack, bystander) => {
        await batches(CONNECTIONS - 1, async () => {
          const socket = await attack.connect();
          socket.write(`${GET}\r\n`);
          await new Promise((resolve) => socket.once('data', resolve));
        });
        for (let count = 0; count < 100; count += 1) await bystander.another();
        expect(attack.open).to.equal(CONNECTIONS - 1);
      });
      expect(damage.statuses).to.deep.equal({ 200: CONNECTIONS - 1 });
      expectNoHarm(CONNECTIONS - 1, damage);
      attacks.push(damage);
    }
    const [first, second] = attacks.map(({ memory }) => memory.peak);
    expect(second! - first!, 'megabytes more at the second time').to.be.below(100);
  }).timeout(120_000);

  it('two thousand of the largest reports with a made-up token: refused before their bodies', async () => {
    const head = `${REPORT.replace(ServiceProcess.token, 'made-up')}Content-Length: 390000\r\n\r\n`;
    const some = 'x'.repeat(380_000);
    const damage = await Attack.on(service, async (attack) => {
      await batches(2000, () => attack.send([head, some]));
      await eventually(
        'all are refused',
        () => Promise.resolve((attack.statuses['401'] ?? 0) === 2000),
        20_000,
      );
      const jobs = [{ name: 'job', data: 'x'.repeat(5_000_000) }];
      expect((await service.call('POST', '/queues/others/jobs', jobs)).status).to.equal(200);
    });
    expectNoHarm(2000, damage);
  }).timeout(120_000);

  it('fifty bodies in two million chunks of a byte', async () => {
    const head = `${ADD}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n`;
    const body = `${head}${'1\r\n[\r\n'.repeat(40_000)}0\r\n\r\n`;
    const damage = await Attack.on(service, async (attack) => {
      await Promise.all(Array.from({ length: 50 }, () => attack.exchange(body)));
    });
    expect(damage.statuses).to.deep.equal({ 400: 50 });
    expectNoHarm(50, damage);
  }).timeout(120_000);

  it('twenty thousand requests of every broken kind', async () => {
    const bytes = [
      '\x16\x03\x01garbage\r\n\r\n',
      `${GET}X: a\r\n b\r\n\r\n`,
      `${GET}\r\n${GET}\r\n\0garbage\r\n\r\n`,
      `${REPORT}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
      `${REPORT}Connection: close\r\nContent-Length: 3\r\n\r\n"\xff"`,
      `${REPORT}Connection: close\r\nContent-Length: 10000\r\n\r\n${'['.repeat(10_000)}`,
      `GET / HTTP/1.1\r\n${'X: y\r\n'.repeat(9000)}\r\n`,
      `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n\r\n`,
    ];
    const damage = await Attack.on(service, (attack) =>
      batches(20_000, (index) => attack.exchange(bytes[index % bytes.length]!)),
    );
    expect(damage.statuses).to.deep.equal({ 200: 5000, 400: 15_000, 431: 5000 });
    expectNoHarm(20_000, damage);
  }).timeout(120_000);

  it('two hundred that ask for lists of nine megabytes and read no more than their beginning', async () => {
    const jobs = Array.from({ length: 9 }, () => ({ name: 'job', data: 'x'.repeat(1_000_000) }));
    expect((await service.call('POST', '/queues/large/jobs', jobs)).status).to.equal(200);
    const damage = await Attack.on(service, async (attack, bystander) => {
      await batches(200, async () => {
        const socket = await attack.connect();
        socket.write(`GET /queues/large/jobs HTTP/1.1\r\n${AUTHORIZED}\r\n`);
        await new Promise((resolve) => socket.once('data', resolve));
        socket.pause();
      });
      for (let count = 0; count < 100; count += 1) await bystander.another();
    });
    const { 200: begun = 0, 503: putOff = 0 } = damage.statuses;
    // Each is charged for a megabyte of text and of bytes, out of eight times MAX_BODY_SIZE.
    expect(begun).to.be.within(8, 42);
    expect(putOff).to.equal(200 - begun);
    expectNoHarm(200, damage);
    await eventually('large answers are given again', async () => {
      return (await service.call('GET', '/queues/large/jobs')).status === 200;
    });
  }).timeout(120_000);
});

describe('an endpoint that does everything wrong', () => {
  for (const client of ['undici', 'node-fetch']) {
    it(`2,000 calls with WEBHOOK_CLIENT=${client}: each fails for a reason, memory stays`, async () => {
      const service = await ServiceProcess.start({ STORE: 'memory', WEBHOOK_CLIENT: client });
      const endpoint = await HostileEndpoint.start();
      try {
        const round = HostileEndpoint.behaviours.filter((name) => name !== 'fine');
        const worker = {
          queue: 'hostile',
          endpoint: { url: endpoint.origin, method: 'post', timeout: 250 },
          opts: { concurrency: 100 },
        };
        expect((await service.call('POST', '/workers', worker)).status).to.equal(200);
        const callAll = async (rounds: number): Promise<void> => {
          const jobs = Array.from({ length: rounds }, () =>
            round.map((name) => ({ name, data: 1 })),
          );
          await service.call('POST', '/queues/hostile/jobs', jobs.flat());
          await eventually('no job is left', () => isEmpty(service), 60_000);
        };
        const memory = new MemoryWatch(service.pid);
        await callAll(20);
        const warm = memory.now;
        await callAll(Math.ceil(2000 / round.length));
        // Idle connections are kept for four seconds.
        await eventually('all connections end', () => Promise.resolve(endpoint.connections === 0));
        const { before, peak, now } = memory;
        print({ calls: 2000, 'RSS MB before': before, warm, peak, after: now });
        memory.end();
        expect(peak - warm, 'megabytes more').to.be.below(200);
      } finally {
        expect(await service.stop()).to.deep.equal({ code: 0, signal: null });
        await endpoint.close();
      }
    }).timeout(120_000);
  }
});

async function isEmpty(service: ServiceProcess): Promise<boolean> {
  const { body } = await service.call('GET', '/queues/hostile/jobs?length=0');
  const { counts } = body as { readonly counts: Readonly<Record<string, number>> };
  return counts['waiting'] === 0 && counts['active'] === 0;
}
