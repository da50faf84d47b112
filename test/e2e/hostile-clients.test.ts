import { expect } from 'chai';
import { Attack, type Damage } from '../support/attack.ts';
import { eventually } from '../support/eventually.ts';
import { RedisServer } from '../support/redis/redis-server.ts';
import { ServiceProcess } from '../support/service-process.ts';

const MEGABYTE = 1_000_000;

/** The largest size of a request, in bytes. */
const MAX_BODY_SIZE = 2 * MEGABYTE;

/** Nearly the largest size of a progress report, in bytes. */
const REPORT_SIZE = 390_000;

const AUTHORIZED = `Host: localhost\r\nAuthorization: Bearer ${ServiceProcess.token}\r\n`;
const ADD = `POST /queues/victim/jobs HTTP/1.1\r\n${AUTHORIZED}`;
/** The token stands in the place of a job's, which is checked together with the job. */
const REPORT = ADD.replace('/jobs', '/jobs/1/progress').replace(ServiceProcess.token, 'made-up');

const whole = (body: string, head = ADD): string =>
  `${head}Content-Length: ${Buffer.byteLength(body, 'latin1')}\r\n\r\n${body}`;

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Attacks of clients on the service, and what its other clients notice of them. */
describe('hostile clients', () => {
  let service: ServiceProcess;

  before(async () => {
    const limits = { MAX_BODY_SIZE: String(MAX_BODY_SIZE), MAX_CONNECTIONS: '300' };
    service = await ServiceProcess.start({ STORE: 'memory', ...limits });
  });
  after(async () => {
    expect(await service.stop()).to.deep.equal({ code: 0, signal: null });
    expect(service.logs.filter(({ level }) => level === 'error')).to.deep.equal([]);
  });

  function expectNoHarm({ bystander, growth }: Damage, megabytes = 120): void {
    expect(bystander.failures).to.deep.equal([]);
    expect(bystander.served).to.be.above(3);
    expect(bystander.slowest, 'ms to the slowest answer').to.be.below(3000);
    expect(growth, 'megabytes more').to.be.below(megabytes);
  }

  it('that only connect, or drip headers and bodies, harm no other client', async () => {
    const damage = await Attack.on(service, async (attack, bystander) => {
      const beginnings = ['', 'GET /workers HTTP/1.1\r\n', `${ADD}Content-Length: 99999\r\n\r\n`];
      const drips = ['G', 'X', ' '];
      const sockets = await Promise.all(times(240, () => attack.connect()));
      sockets.forEach((socket, index) => socket.write(beginnings[index % 3]!));
      sockets.forEach((socket, index) => socket.write(drips[index % 3]!));
      for (let count = 0; count < 20; count += 1) await bystander.another();
      expect(attack.open).to.equal(240);
    });
    expectNoHarm(damage);
  });

  it('beyond the connection limit are refused, and the others served', async () => {
    const damage = await Attack.on(service, async (attack, bystander) => {
      await Promise.all(times(400, () => attack.connect()));
      await service.logged('Connection limit reached: new connections were refused');
      await bystander.another();
      // The ordinary client has one, and maybe one from its call before.
      expect(attack.open).to.be.within(290, 299);
    });
    expectNoHarm(damage);
    await eventually('there is room again', () =>
      service.call('GET', '/health/live').then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
  });

  it('that send invalid requests get an answer that says so', async () => {
    const kinds: readonly (readonly [status: string, bytes: string])[] = [
      ['400', '\x16\x03\x01garbage\r\n\r\n'],
      ['400', `${ADD}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`],
      ['400', `${ADD}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`],
      ['400', `${ADD}X: a\r\n b\r\n\r\n`],
      ['400', whole('"\xff"', `${ADD}Connection: close\r\n`)],
      ['400', whole('['.repeat(100_000), `${ADD}Connection: close\r\n`)],
      ['400', whole('[', `${ADD}Connection: close\r\n`)],
      ['413', `${ADD}Content-Length: 900000000000\r\n\r\n`],
      ['431', `GET / HTTP/1.1\r\n${'X: y\r\n'.repeat(20_000)}\r\n`],
      ['431', `GET /${'x'.repeat(40_000)} HTTP/1.1\r\n\r\n`],
    ];
    const damage = await Attack.on(service, async (attack) => {
      const exchanges = times(10, () => kinds.map(([, bytes]) => attack.exchange(bytes)));
      await Promise.all(exchanges.flat());
    });
    expect(damage.statuses).to.deep.equal({ 400: 70, 413: 10, 431: 20 });
    expectNoHarm(damage);
  });

  it('that pipeline garbage, or end within their requests, harm no other client', async () => {
    const get = `GET /workers HTTP/1.1\r\n${AUTHORIZED}\r\n`;
    const damage = await Attack.on(service, async (attack) => {
      const garbage = get.repeat(20) + '\0garbage'.repeat(10_000);
      await Promise.all(times(50, () => attack.exchange(garbage)));
      for (const socket of await Promise.all(times(100, () => attack.connect()))) {
        socket.write(
          `${get.repeat(20)}${REPORT}Content-Length: ${REPORT_SIZE}\r\n\r\n${'x'.repeat(300_000)}`,
        );
        socket.destroySoon();
      }
    });
    expect(damage.statuses).to.include({ 400: 50 });
    expect(damage.statuses['200']).to.be.at.least(50 * 20);
    expectNoHarm(damage);
  });

  // holds: security.pipelining
  it('that pipeline requests without end are read no faster than their requests are answered', async () => {
    const probe = 'GET /health/ready HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const damage = await Attack.on(service, async (attack, bystander) => {
      const attackers = times(5, () => attack.send(times(20, () => probe.repeat(1500))));
      for (let count = 0; count < 20; count += 1) await bystander.another();
      await Promise.all(attackers);
    });
    expect(damage.statuses['200']).to.be.above(1000);
    expectNoHarm(damage, 200);
  });

  it('that send many large bodies with a made-up token are refused before these arrive, and the others served', async () => {
    const damage = await Attack.on(service, async (attack) => {
      const upload = [`${REPORT}Content-Length: ${REPORT_SIZE}\r\n\r\n`, 'x'.repeat(300_000)];
      await Promise.all(times(200, () => attack.send(upload)));
      await eventually('most are refused', () => Promise.resolve(attack.statuses['401']! > 150));
      const large = [{ name: 'job', data: 'x'.repeat(MEGABYTE) }];
      expect((await service.call('POST', '/queues/others/jobs', large)).status).to.equal(200);
    });
    expectNoHarm(damage);
  });

  it('that send bodies in a million chunks of a byte fill no memory', async () => {
    const chunks = '1\r\n[\r\n'.repeat(10_000);
    const damage = await Attack.on(service, async (attack) => {
      await attack.send([
        `${REPORT}Transfer-Encoding: chunked\r\n\r\n`,
        ...times(100, () => chunks),
      ]);
    });
    expectNoHarm(damage);
  });

  // holds: bounds.answer-memory
  it('that ask for large lists and never read them fill no memory', async () => {
    const large = [{ name: 'job', data: 'x'.repeat(MEGABYTE) }];
    for (let count = 0; count < 10; count += 1) {
      await service.call('POST', '/queues/large/jobs', large);
    }
    const damage = await Attack.on(service, async (attack) => {
      const put = await eventually('large answers are put off', async () => {
        const socket = await attack.connect();
        socket.pause();
        socket.write(`GET /queues/large/jobs HTTP/1.1\r\n${AUTHORIZED}\r\n`.repeat(2));
        const answer = await service.call('GET', '/queues/large/jobs');
        return answer.status === 503 && answer;
      });
      expect(put.headers.get('retry-after')).to.equal('1');
    });
    expectNoHarm(damage, 400);
    await eventually('large answers are given', async () => {
      return (await service.call('GET', '/queues/large/jobs')).status === 200;
    });
  });

  it('are refused by all of several processes once each has as many as it may', async () => {
    const store = await RedisServer.start();
    const limits = { WEB_CONCURRENCY: '2', MAX_CONNECTIONS: '10' };
    const group = await ServiceProcess.start({ STORE_URI: store.uri, ...limits });
    try {
      const damage = await Attack.on(group, async (attack, bystander) => {
        // A process that is slow to accept leaves most of a burst to the other, so repeat until both are full.
        await eventually('both have their 10, and the others are closed', async () => {
          if (attack.open < 19) await Promise.all(times(50, () => attack.connect()));
          return attack.open === 19;
        });
        await bystander.another();
      });
      expect(damage.bystander.failures).to.deep.equal([]);
    } finally {
      await group.stop();
      await store.stop();
    }
  });

  it('leave nothing behind', async () => {
    const connections = await Promise.all(times(5, () => fetch(`${service.url}/health/live`)));
    expect(connections.every(({ ok }) => ok)).to.equal(true);
    const { body } = await service.call('GET', '/queues/victim/jobs');
    expect(body).to.equal('Not found');
  });
});
