import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { releasedChangelog, releasedVersions } from './changelog.ts';
import { compatibilityPage } from './compatibility-row.ts';
import { VERSION_PLACES, withVersion } from './version-places.ts';

/**
 * Writes a version and its date wherever they stand in a checkout.
 *
 * @param date such as `2026-11-28`.
 * @throws Error when a place is missing; nothing is written then.
 */
export async function writeVersion(folder: string, version: string, date: string): Promise<void> {
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
  const { version: before } = JSON.parse(read('package.json')) as { version: string };
  const changelog = read('CHANGELOG.md');
  const table = compatibilityPage(
    read('docs/compatibility.md'),
    version,
    releasedVersions(changelog),
  );
  const options = await resolveConfig(join(folder, 'README.md'));
  const texts = new Map([
    ['CHANGELOG.md', releasedChangelog(changelog, version, date)],
    ['docs/compatibility.md', await format(table, { ...options, parser: 'markdown' })],
  ]);
  for (const path of Object.keys(VERSION_PLACES)) {
    texts.set(path, withVersion(path, read(path), before, version));
  }
  for (const [path, text] of texts) writeFileSync(join(folder, path), text);
}
