import leven from 'leven';

/** The most letters in which a name may differ from the one that was meant. */
const MOST_SLIPS = 3;

/** The name that was probably meant: the nearest one, if a third of its letters or fewer differ. */
export function likelyName(given: string, names: readonly string[]): string | undefined {
  const [nearest] = names
    .filter((name) => Math.abs(name.length - given.length) <= MOST_SLIPS)
    .map((name) => ({ name, slips: leven(given.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, slips }) => slips <= Math.min(MOST_SLIPS, Math.floor(name.length / 3)))
    .toSorted((one, other) => one.slips - other.slips);
  return nearest?.name;
}
