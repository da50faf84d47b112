import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { DRIVERS } from '../../support/embedded/drivers.ts';
import { TemporaryFolder } from '../../support/embedded/temporary-folder.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { rounds } from '../../support/lane.ts';

const WRITER = fileURLToPath(new URL('../../support/embedded/steady-writer.ts', import.meta.url));
const KILLS = rounds(10, 3);

/** @returns the numbers that a writer printed until it had printed so many. */
async function killedAfter(lines: number, args: readonly string[]): Promise<readonly number[]> {
  const writer = spawn(process.execPath, ['--import', 'tsx', WRITER, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  let problem = '';
  writer.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    if (printed.split('\n').length > lines) writer.kill('SIGKILL');
  });
  writer.stderr.setEncoding('utf8').on('data', (text: string) => (problem += text));
  const [, signal] = (await once(writer, 'close')) as [number | null, string | null];
  expect(signal, problem).to.equal('SIGKILL');
  return printed.split('\n').slice(0, -1).map(Number);
}

for (const { name, ofThread: driver } of DRIVERS) {
  it(`a process that is killed ${KILLS} times loses nothing acknowledged, with ${name}`, async () => {
    const folder = new TemporaryFolder();
    try {
      const random = seededRandom(47);
      let acknowledged = 0;
      for (let kill = 0; kill < KILLS; kill += 1) {
        const lines = 1 + Math.floor(random() ** 3 * 1000);
        const [found, ...numbers] = await killedAfter(lines, [folder.path, driver.href]);
        expect(found).to.be.within(acknowledged, acknowledged + 1);
        acknowledged = numbers.at(-1) ?? found!;
      }
    } finally {
      folder.remove();
    }
  }).timeout(180_000);
}
