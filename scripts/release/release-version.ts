/** A version that can be released. */
const RELEASED = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/;

export function isReleaseVersion(text: string): boolean {
  return RELEASED.test(text);
}

/** `0.2` of 0.2.1. */
export function minorOf(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}

/** Below 0 when the first version is older, above 0 when it is newer. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((version) => version.split('.').map(Number));
  for (const [index, number] of (left ?? []).entries()) {
    const difference = number - (right?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
