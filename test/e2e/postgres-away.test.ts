import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { PostgresServer } from '../support/postgres/postgres-server.ts';
import { ServiceProcess } from '../support/service-process.ts';

const LOST = 'The connection to the store is lost';
const BACK = 'The connection to the store is back';

describe('STORE=postgres, while its server is away', () => {
  let server: PostgresServer;
  let service: ServiceProcess;

  beforeEach(async function () {
    this.timeout(60_000);
    server = await PostgresServer.start();
    service = await ServiceProcess.start({ STORE_URI: server.uri });
  });

  afterEach(async () => {
    await service.kill();
    await server.stop();
  });

  const lines = (text: string) =>
    service.logs.filter(({ message }) => message?.includes(text) === true);

  async function readiness(): Promise<string> {
    const answer = await fetch(`${service.url}/health/ready`);
    return `${answer.status} ${await answer.text()}`;
  }

  /** Whether the replica polls, since notices do not arrive. */
  async function polls(): Promise<boolean> {
    const { body } = await service.call('GET', '/system');
    const { warnings = [] } = body as { readonly warnings?: readonly { readonly code: string }[] };
    return warnings.some(({ code }) => code === 'polling');
  }

  // holds: postgres.away
  it('has a line when it is lost and one when it is back, and a cause in the readiness', async () => {
    for (let outage = 1; outage <= 2; outage += 1) {
      await server.kill();
      await eventually('the log says so', () => Promise.resolve(lines(LOST).length === outage));
      expect(lines(LOST).at(-1)).to.deep.include({
        level: 'warn',
        address: `127.0.0.1:${server.port}`,
      });
      expect(lines(LOST).at(-1)).to.have.nested.property('error.message').that.is.a('string');
      const reason = await eventually('the readiness names the cause', async () => {
        const answer = await readiness();
        return answer.includes('unavailable: connect ECONNREFUSED') && answer;
      });
      expect(reason).to.match(/^503 /);
      expect(reason).to.not.include(String(server.port));
      expect(lines(BACK)).to.have.lengthOf(outage - 1);
      await server.restart();
      await eventually('the log says that it is back', () =>
        Promise.resolve(lines(BACK).length === outage),
      );
      await eventually('the replica is ready and is notified again', async () => {
        return (await readiness()).startsWith('200') && !(await polls());
      });
      expect(lines(LOST)).to.have.lengthOf(outage);
    }
    expect(lines('cannot notify')).to.deep.equal([]);
  }).timeout(120_000);
});
