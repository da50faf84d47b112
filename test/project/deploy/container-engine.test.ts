import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { ContainerEngine } from '../../../scripts/image/container-engine.ts';

const WANTED = ['linux/amd64', 'linux/arm64'];

describe('the container engine', () => {
  const path = process.env['PATH'];
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'jobgate-engine-'));
    process.env['PATH'] = `${folder}${delimiter}${path}`;
  });
  afterEach(() => {
    process.env['PATH'] = path;
    rmSync(folder, { recursive: true, force: true });
  });

  function docker(script: string): void {
    writeFileSync(join(folder, 'docker'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }

  async function platforms(): Promise<readonly string[]> {
    return (await ContainerEngine.running())!.platforms(WANTED);
  }

  it('is missing where nothing answers', async () => {
    docker('echo "Cannot connect to the daemon" >&2; exit 1');
    expect(await ContainerEngine.running()).to.equal(undefined);
  });

  it('builds for several platforms with a builder that has them', async () => {
    docker(
      'printf "Driver:  docker-container\\nPlatforms: linux/amd64*, linux/arm64, linux/386\\n"',
    );
    expect(await platforms()).to.deep.equal(WANTED);
  });

  it('builds for its own platform with the builder of the engine itself, or without one', async () => {
    docker('printf "Driver:  docker\\nPlatforms: linux/amd64, linux/arm64\\n"');
    expect(await platforms()).to.deep.equal([]);
    docker('[ "$1" = version ]');
    expect(await platforms()).to.deep.equal([]);
  });

  it('says which command failed, and why', async () => {
    docker('[ "$1" = version ] || { echo "no space left" >&2; exit 1; }');
    const engine = await ContainerEngine.running();
    const failure = await engine!.run('save', 'jobgate').catch((error: unknown) => error);
    expect(String(failure)).to.equal('Error: docker save jobgate: no space left');
  });
});
