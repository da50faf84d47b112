import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { expect } from 'chai';
import { namesIn, text } from '../support/deployment-files.ts';
import manifest from '../../package.json' with { type: 'json' };

const EXAMPLES = join(import.meta.dirname, '../../examples');

interface Manifest {
  readonly engines: { readonly node: string };
  readonly devDependencies?: { readonly tsx: string };
}

describe('The examples for Node.js', () => {
  const names = namesIn('examples').filter((name) =>
    namesIn(`examples/${name}`).includes('package.json'),
  );

  it('are there', () => {
    expect(names).to.have.length.above(5);
  });

  for (const name of names) {
    it(`asks for the Node.js of the service and the tsx of the clone: ${name}`, () => {
      const { engines, devDependencies } = JSON.parse(
        text(`examples/${name}/package.json`),
      ) as Manifest;
      expect(engines).to.deep.equal(manifest.engines);
      if (devDependencies) expect(devDependencies.tsx).to.equal(manifest.devDependencies.tsx);
    });

    it(`starts with the command of its README: ${name}`, async () => {
      const readme = text(`examples/${name}/README.md`);
      const [, command = ''] = /^(?:\$ )?((?:\w+=\S+ )*node .+?)(?: &)?$/m.exec(readme)!;
      const onFreePort = command
        .replace(/(--port |PORT=)3000/, '$10')
        .replace('127.0.0.1:8080', '127.0.0.1:9');
      const [, settings = '', program = ''] = /^((?:\w+=\S+ )*)(.+)$/.exec(onFreePort)!;
      const worker = spawn('sh', ['-c', `${settings}exec ${program}`], {
        cwd: join(EXAMPLES, name),
        env: { ...process.env, TOKEN: 'secret' },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const ended = once(worker, 'exit');
      const lines = createInterface({ input: worker.stdout });
      const [line] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as [
        string | undefined,
      ];
      worker.kill('SIGTERM');
      await ended;
      expect(line).to.match(/^(Listening on http:|Working for the queue )/);
    });
  }
});
