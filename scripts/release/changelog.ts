import { compareVersions } from './release-version.ts';

const UNRELEASED = /^## \S+, unreleased$/m;
const RELEASED = /^## (\d+\.\d+\.\d+), \d{4}-\d{2}-\d{2}$/gm;

/** The versions of the changelog that are out, the latest first. */
export function releasedVersions(changelog: string): readonly string[] {
  const versions = [...changelog.matchAll(RELEASED)].map(([, version = '']) => version);
  return versions.toSorted((one, other) => compareVersions(other, one));
}

/** What the part that is not out yet says; undefined without such a part, empty without a word in it. */
export function unreleasedText(changelog: string): string | undefined {
  const [, rest] = changelog.split(UNRELEASED);
  return rest?.split(/^## /m)[0]?.trim();
}

/** The changelog in which that part is out. @param date such as `2026-11-28`. */
export function releasedChangelog(changelog: string, version: string, date: string): string {
  return changelog.replace(UNRELEASED, `## ${version}, ${date}`);
}
