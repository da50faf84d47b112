// `npm run check:image`: builds the image and runs it as users do. It needs a container engine: the one that answers, or
// with `-- --start`, as root, one of its own. Elsewhere it says that it skips the image. Where the base image cannot be
// pulled, Debian and Node.js from their packages stand in for it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { answer, EndpointServer } from '../test/support/endpoint-server.ts';
import { eventually } from '../test/support/eventually.ts';
import { runCommand } from '../test/support/run-command.ts';
import { ContainerEngine } from './image/container-engine.ts';
import { EngineDaemon } from './image/engine-daemon.ts';
import { ImageService } from './image/image-service.ts';
import { canStandIn, standInBase } from './image/stand-in-base.ts';
import manifest from '../package.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '..');
const IMAGE = `jobgate:${manifest.version}-check`;
const VOLUME = 'jobgate-check-data';
/** Milliseconds within which `docker stop` has to end an idle service. */
const MOST_TO_STOP = 5000;
/** As Kubernetes and cautious operators run it. */
const CONFINED = [
  ...['--user', '12345:12345', '--read-only', '--cap-drop', 'ALL'],
  ...['--security-opt', 'no-new-privileges', '--volume', `${VOLUME}:/data`],
];

const daemon = process.argv.includes('--start') ? await EngineDaemon.start() : undefined;
const running = daemon?.engine ?? (await ContainerEngine.running());
try {
  if (running === undefined) console.log('Skipped: the image, since no container engine answers');
  else await checkImage(running);
} finally {
  await daemon?.stop();
}

async function checkImage(engine: ContainerEngine): Promise<void> {
  const base = await reachableBase(engine);
  if (base === null) {
    console.log(
      'Skipped: the image, whose base cannot be pulled; a stand-in needs root and debootstrap',
    );
    return;
  }
  const revision = 'check';
  await engine.build({ folder: ROOT, tag: IMAGE, revision, base });
  await engine.run('volume', 'create', VOLUME);
  try {
    await runsAtOnce(engine);
    const job = await runsConfined(engine);
    await keepsItsJobs(engine, job);
  } finally {
    await engine.run('volume', 'rm', '--force', VOLUME);
    await engine.run('rmi', IMAGE);
  }
}

/** What stands in for the base image of the Dockerfile: undefined when the engine can pull that, null without either. */
async function reachableBase(engine: ContainerEngine): Promise<string | undefined | null> {
  const [, image = ''] =
    /^ARG NODE_IMAGE=(.+)$/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')) ?? [];
  for (const command of [
    ['image', 'inspect'],
    ['pull', '--quiet'],
  ]) {
    if ((await runCommand('docker', [...command, image])).succeeded) return undefined;
  }
  if (!(await canStandIn())) return null;
  console.log(`${image} cannot be pulled: Debian and Node.js from packages stand in for it`);
  return standInBase(engine);
}

/** `docker run -e AUTH_TOKENS=secret jobgate`: with its health, and its end. */
async function runsAtOnce(engine: ContainerEngine): Promise<void> {
  const service = await ImageService.start(engine, IMAGE, '--health-interval', '1s');
  try {
    await processSignedJob(service);
    await eventually(
      'it is healthy',
      async () => (await service.state('Health.Status')) === 'healthy',
    );
    const duration = await service.stop();
    expect(
      duration < MOST_TO_STOP,
      `It stops within ${MOST_TO_STOP} ms, not ${Math.round(duration)}`,
    );
    expect((await service.state('ExitCode')) === '0', 'It ends with 0');
    console.log(
      `Passed: runs at once, signs its calls, is healthy, stops in ${Math.round(duration)} ms`,
    );
  } finally {
    await service.remove();
  }
}

/** @returns the id of a job that it completed. */
async function runsConfined(engine: ContainerEngine): Promise<string> {
  const service = await ImageService.start(engine, IMAGE, ...CONFINED);
  try {
    const job = await processSignedJob(service);
    await service.stop();
    console.log('Passed: runs as any user, read-only, without capabilities');
    return job;
  } finally {
    await service.remove();
  }
}

async function keepsItsJobs(engine: ContainerEngine, job: string): Promise<void> {
  const report = await engine.run('run', '--rm', ...CONFINED, IMAGE, 'store', 'check', '/data');
  expect(/damage\s+none/.test(report), `store check says: ${report}`);
  const service = await ImageService.start(engine, IMAGE, ...CONFINED);
  try {
    const kept = JSON.parse(await service.call(`/queues/mail/jobs/${job}`)) as { state: string };
    expect(kept.state === 'completed', 'Its jobs are in the volume');
    console.log('Passed: takes commands, and keeps its jobs in the volume /data');
  } finally {
    await service.remove();
  }
}

async function processSignedJob(service: ImageService): Promise<string> {
  const endpoint = await EndpointServer.start();
  endpoint.respond = answer(200, { sent: true });
  try {
    const target = { url: endpoint.url, method: 'post', signing: true };
    const { secret } = JSON.parse(
      await service.call('/workers', { queue: 'mail', endpoint: target }),
    ) as {
      secret: string;
    };
    const [job] = JSON.parse(
      await service.call('/queues/mail/jobs', [{ name: 'send', data: 1 }]),
    ) as [{ id: string }];
    await service.call(`/queues/mail/jobs/${job.id}/result?timeout=10000`);
    const [call] = endpoint.calls;
    expect(call !== undefined, 'The endpoint is called');
    new Webhook(secret).verify(call.text, call.headers as Record<string, string>);
    return job.id;
  } finally {
    await endpoint.close();
  }
}

function expect(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}
