import leven from 'leven';

/** The word that was probably meant, allowing for up to three wrong letters. */
export function guess(word: string, words: readonly string[]): string | undefined {
  const [nearest] = words
    .map((each) => ({ each, slips: leven(word.toLowerCase(), each.toLowerCase()) }))
    .filter(
      ({ each, slips }) =>
        slips <= Math.min(3, Math.max(each.length > 3 ? 2 : 1, Math.floor(each.length / 3))),
    )
    .sort((one, other) => one.slips - other.slips);
  return nearest?.each;
}

/** The end of a sentence: the word that was probably meant, or else the other text. */
export function orGuess(word: string, words: readonly string[], otherwise: string): string {
  const meant = guess(word, words);
  return meant === undefined ? otherwise : `did you mean ${meant}?`;
}
