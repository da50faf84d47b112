// `npm run release -- 0.2.0`: writes the version and its date, and builds into dist/release all that is published. With
// `--dry-run` it changes nothing else and says what a release would refuse. It publishes nothing.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './check-clients/commands.ts';
import { buildImage } from './release/build-image.ts';
import { buildPackages } from './release/build-packages.ts';
import { writeChecksums } from './release/checksums.ts';
import { git, passedCommit } from './release/git.ts';
import { publishing } from './release/publishing.ts';
import { refusals } from './release/refusals.ts';
import { ReleaseCheckout } from './release/release-checkout.ts';
import { RELEASE_USAGE, releaseOptions, type ReleaseOptions } from './release/release-options.ts';

const ROOT = join(import.meta.dirname, '..');
const OUTPUT = join(ROOT, 'dist/release');

/** The gate takes about 10 minutes, and the slow lane of the tests 15. */
const TESTS_TIMEOUT = 5_400_000;

const options = readOptions();
const { version, isDryRun } = options;
const reasons = refusals(ROOT, version);
if (reasons.length > 0 && !isDryRun) fail(['No release:', ...reasons]);
const isGreen = options.gatePassed || passedCommit(ROOT) === git(ROOT, 'rev-parse', 'HEAD');
if (!isGreen && !isDryRun) await run(join(ROOT, '.ci/run'), [], { timeout: TESTS_TIMEOUT });
if (!options.gatePassed && !isDryRun) {
  await run('npm', ['run', 'test:slow'], { cwd: ROOT, timeout: TESTS_TIMEOUT });
}

const date = new Date().toISOString().slice(0, 10);
const checkout = await ReleaseCheckout.create(ROOT, version, date);
try {
  rmSync(OUTPUT, { recursive: true, force: true });
  mkdirSync(OUTPUT, { recursive: true });
  await buildPackages(checkout.folder, version, OUTPUT);
  const image = await imageOf(checkout.folder, options);
  const files = await writeChecksums(OUTPUT);
  if (!isDryRun) checkout.bringHome(version);
  console.log(`\nIn dist/release: ${files.join(', ')}\n\n${publishing(version, image)}`);
} finally {
  checkout.remove();
}
if (isDryRun) console.log(`\n${doubts().join('\n  ')}`);

async function imageOf(
  folder: string,
  { withImage, base }: ReleaseOptions,
): Promise<string | undefined> {
  const image = withImage ? await buildImage(folder, version, OUTPUT, base) : undefined;
  const skipped = withImage ? 'no container engine answers' : '--no-image';
  if (image === undefined) console.log(`Skipped: the image (${skipped})`);
  else if (base !== undefined) console.log(`The image stands on ${base}: it is for trials only`);
  return image;
}

function doubts(): readonly string[] {
  const gate = isGreen
    ? []
    : ['.ci/run has not passed for this commit here: a release runs it first'];
  const all = [...reasons, ...gate];
  return all.length === 0
    ? ['A release would go through']
    : ['A release would stop at this:', ...all];
}

function readOptions(): ReleaseOptions {
  try {
    return releaseOptions(process.argv.slice(2));
  } catch (error) {
    return fail([(error as Error).message, RELEASE_USAGE]);
  }
}

function fail(lines: readonly string[]): never {
  console.error(lines.join('\n  '));
  process.exit(1);
}
