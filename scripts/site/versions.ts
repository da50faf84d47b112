import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareVersions, isReleaseVersion } from '../release/release-version.ts';

/** Writes which versions a folder has, the latest first, and leads its visitors to the one that was built. */
export function listVersion(output: string, built: string): void {
  const versions = readdirSync(output)
    .filter(isReleaseVersion)
    .toSorted((one, other) => compareVersions(other, one));
  writeFileSync(join(output, 'versions.json'), JSON.stringify(versions));
  const [latest = built] = versions;
  const target = `${latest}/index.html`;
  const page = `<!doctype html>
<meta charset="utf-8">
<title>jobgate</title>
<meta http-equiv="refresh" content="0; url=${target}">
<a href="${target}">jobgate ${latest}</a>
`;
  writeFileSync(join(output, 'index.html'), page);
}
