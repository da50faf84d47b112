import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { selfSignedCertificate, type Certificate } from '../support/certificate.ts';
import { answer } from '../support/endpoint-server.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { StartedServices } from '../support/started-services.ts';
import { ServiceContext } from './service/context.ts';

/** Endpoints whose certificates are signed by a private authority. */
describe('NODE_EXTRA_CA_CERTS', () => {
  const services = new StartedServices();
  const context = new ServiceContext(() => service);
  let certificate: Certificate;
  let folder: string;
  let service: ServiceProcess;

  before(async () => {
    certificate = await selfSignedCertificate();
    folder = await mkdtemp(join(tmpdir(), 'jobgate-ca-'));
    await writeFile(join(folder, 'ca.pem'), certificate.cert);
  });
  afterEach(async () => {
    await context.cleanUp();
    await services.kill();
  });
  after(() => rm(folder, { recursive: true }));

  async function outcome(environment: Readonly<Record<string, string>>): Promise<unknown> {
    service = await services.start({ STORE: 'memory', ...environment });
    const queue = context.newQueue();
    await context.register(queue, await context.newEndpoint(answer(200, 'done'), certificate));
    const [job] = await context.add(queue, { name: 'job', data: 1 });
    const { returnvalue, failedReason } = await context.finished(queue, job!.id);
    return failedReason ?? returnvalue;
  }

  for (const WEBHOOK_CLIENT of ['undici', 'node-fetch']) {
    // holds: security.endpoint-authority
    it(`gives the authority of endpoints to ${WEBHOOK_CLIENT}`, async () => {
      const NODE_EXTRA_CA_CERTS = join(folder, 'ca.pem');
      expect(await outcome({ WEBHOOK_CLIENT, NODE_EXTRA_CA_CERTS })).to.equal('done');
    });
  }
});
