import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { releasedVersions, unreleasedText } from './changelog.ts';
import { hasContact } from './contact.ts';
import { git } from './git.ts';
import { compareVersions } from './release-version.ts';

/** Why a version cannot be released from a checkout, in sentences; empty when it can. The gate is not asked. */
export function refusals(folder: string, version: string): readonly string[] {
  const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
  const found: string[] = [];
  const changelog = read('CHANGELOG.md');
  const [latest] = releasedVersions(changelog);
  if (latest !== undefined && compareVersions(version, latest) <= 0) {
    found.push(`CHANGELOG.md has ${latest} as released: ${version} is not above it`);
  }
  if (!unreleasedText(changelog)) found.push('CHANGELOG.md has nothing that is unreleased');
  if (!hasContact(read('SECURITY.md'))) {
    found.push('SECURITY.md has no contact for reports: fill in its marked place');
  }
  const changes = git(folder, 'status', '--porcelain').split('\n').filter(Boolean);
  if (changes.length > 0)
    found.push(`The tree is not clean: ${changes[0]?.trim()}, ${changes.length} in all`);
  return found;
}
