import { request } from 'node:http';
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { expect } from 'chai';
import { Client, Receiver } from '@upstash/qstash';
import { EndpointServer } from '../../support/endpoint-server.ts';
import { rejection } from '../../support/rejection.ts';
import { runWith } from '../../support/command-line.ts';
import { ServiceProcess } from '../../support/service-process.ts';

/** Set by programs, and read by their clients at each call. */
const SET = ['QSTASH_DEV', 'QSTASH_DEV_PORT'] as const;

describe('jobgate qstash-dev', () => {
  let service: ServiceProcess;
  let port: string;

  before(async () => {
    service = await ServiceProcess.start({ QSTASH_DEV_PORT: '0' }, { command: 'qstash-dev' });
    port = new URL(service.url).port;
    Object.assign(process.env, { QSTASH_DEV: '1', QSTASH_DEV_PORT: port });
  });

  after(async () => {
    for (const name of SET) Reflect.deleteProperty(process.env, name);
    await service.stop();
  });

  // holds: qstash.dev
  it('serves a program without a changed line', async () => {
    const server = await EndpointServer.start();
    const client = new Client();
    const { messageId } = await client.publishJSON({ url: server.url, body: { hello: 'world' } });
    const { headers, text } = await server.nextCall();
    expect(headers['upstash-message-id']).to.equal(messageId);
    const signature = String(headers['upstash-signature']);
    const isRight = await new Receiver().verify({ signature, body: text, url: server.url });
    expect(isRight).to.equal(true);
    await server.close();
  });

  const statusFor = async (host: string): Promise<number | undefined> => {
    const asked = request({ host: '127.0.0.1', port, path: '/v2/keys', headers: { host } }).end();
    const [response] = (await once(asked, 'response')) as [{ statusCode?: number; resume(): void }];
    response.resume();
    return response.statusCode;
  };

  // holds: qstash.dev-host
  it('answers to no name but those of this machine', async () => {
    const names = ['localhost', `127.0.0.1:${port}`, `[::1]:${port}`, 'LOCALHOST:1'];
    for (const name of names) expect([name, await statusFor(name)]).to.deep.equal([name, 401]);
    const others = ['example.com', `localhost.example.com:${port}`, '127.0.0.1.nip.io', '10.0.0.1'];
    for (const name of others) expect([name, await statusFor(name)]).to.deep.equal([name, 421]);
  });

  // holds: qstash.dev-host
  it('listens on no other address', async () => {
    const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    for (const { address, internal, family } of addresses) {
      if (internal || family !== 'IPv4') continue;
      const error = await rejection(fetch(`http://${address}:${port}/v2/keys`));
      expect(error).to.be.instanceOf(TypeError);
    }
    const refused = await runWith({}, ['qstash-dev', '0.0.0.0']);
    expect(refused).to.include({ code: 2, output: '' });
  });
});
