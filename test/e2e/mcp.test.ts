import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { expect } from 'chai';
import { ServiceProcess } from '../support/service-process.ts';
import { StartedServices } from '../support/started-services.ts';

const PROGRAM = join(import.meta.dirname, '../..', ServiceProcess.program);

describe('jobgate mcp', () => {
  const services = new StartedServices();
  const clients: Client[] = [];
  let service: ServiceProcess;

  before(async () => {
    service = await services.start({ STORE: 'memory' });
  });
  afterEach(() => Promise.all(clients.splice(0).map((client) => client.close())));
  after(() => services.kill());

  async function connect(environment: Readonly<Record<string, string>>): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' });
    clients.push(client);
    const env = { PATH: process.env['PATH'] ?? '', ...environment };
    const args = [PROGRAM, 'mcp'];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
    return client;
  }

  // holds: mcp.client
  it('gives the official client the tools of the service', async () => {
    const client = await connect({ JOBGATE_URL: service.url, JOBGATE_TOKEN: ServiceProcess.token });
    expect((await client.listTools()).tools).to.have.length(12);
    const job = { queue: 'mail', name: 'work', data: 'one\ntwo\u2028three' };
    const added = await client.callTool({ name: 'add_job', arguments: job });
    const { id } = added.structuredContent as { id: string };
    const read = await client.callTool({ name: 'get_job', arguments: { queue: 'mail', id } });
    expect(read.structuredContent).to.include({ id, data: 'one\ntwo\u2028three' });
  });

  // holds: mcp.client
  it('has the client know why the service refuses it, or that there is no service', async () => {
    const refusal = async (environment: Readonly<Record<string, string>>): Promise<string> => {
      const error: unknown = await connect(environment).catch((reason: unknown) => reason);
      return (error as Error).message;
    };
    expect(await refusal({ JOBGATE_URL: service.url, JOBGATE_TOKEN: 'wrong' })).to.include(
      'The token is not valid',
    );
    const away = { JOBGATE_URL: 'http://127.0.0.1:9', JOBGATE_TOKEN: 'secret' };
    expect(await refusal(away)).to.include('jobgate cannot be reached at http://127.0.0.1:9');
  });
});
