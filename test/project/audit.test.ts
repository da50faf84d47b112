import { execFile } from 'node:child_process';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import lock from '../../package-lock.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '../..');

/** What the registry knows of a package: the versions that are installed. */
function packument(name: string): object {
  const installed = Object.entries(lock.packages).filter(([path]) => path.endsWith(`/${name}`));
  const versions = installed.flatMap(([, entry]) =>
    // A package of the project itself is a link without a version.
    'version' in entry ? [[entry.version, { name, version: entry.version }] as const] : [],
  );
  return { name, 'dist-tags': {}, versions: Object.fromEntries(versions) };
}

const ADVISORY = {
  id: 1,
  url: 'https://example.com/1',
  title: 'It reads too much',
  severity: 'high',
  vulnerable_versions: '*',
};

describe('the audit of all packages', () => {
  let folder: string;
  let registry: Server;
  let answer: (response: ServerResponse) => void;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jobgate-audit-'));
    registry = createServer((request, response) => {
      if (request.method === 'POST') answer(response);
      else response.end(JSON.stringify(packument(decodeURIComponent(request.url!.slice(1)))));
    }).listen(0, '127.0.0.1');
    await once(registry, 'listening');
  });
  after(async () => {
    registry.close();
    registry.closeAllConnections();
    await rm(folder, { recursive: true, force: true });
  });

  function audit(): Promise<{ code: number; output: string }> {
    const env = {
      PATH: process.env['PATH'],
      HOME: folder,
      npm_config_cache: join(folder, 'cache'),
      npm_config_fetch_retries: '0',
      npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`,
    };
    return new Promise((resolve) => {
      execFile(process.execPath, ['scripts/audit.js'], { cwd: ROOT, env }, (error, out, err) => {
        resolve({ code: Number(error?.code ?? 0), output: out + err });
      });
    });
  }

  const json = (body: object) => (response: ServerResponse) => {
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
  };
  const status = (code: number) => (response: ServerResponse) => {
    response.writeHead(code).end();
  };

  it('fails for a known vulnerability, and names it', async () => {
    answer = json({ undici: [ADVISORY] });
    const { code, output } = await audit();
    expect(code, output).to.equal(1);
    expect(output).to.include('high: undici: It reads too much\n');
  }).timeout(60_000);

  it('passes where nothing is known', async () => {
    answer = json({});
    expect(await audit()).to.deep.equal({ code: 0, output: 'Known vulnerabilities: 0\n' });
  }).timeout(60_000);

  it('passes, and says so, where the registry offers none', async () => {
    answer = status(405);
    expect(await audit()).to.deep.equal({
      code: 0,
      output: 'The registry offers no audit: no vulnerability was looked for\n',
    });
  }).timeout(60_000);

  it('fails where the registry fails', async () => {
    answer = status(500);
    const { code, output } = await audit();
    expect(code).to.equal(1);
    expect(output).to.match(/^The audit failed: 500/);
  }).timeout(60_000);
});
