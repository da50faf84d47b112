/** Words that readers bring along, and the word that the pages have for each. */
const SYNONYMS = {
  gdpr: 'erase',
  privacy: 'erase',
  throttle: 'limiter',
  throttling: 'limiter',
  heartbeat: 'extend',
  keepalive: 'extend',
  unique: 'deduplication',
  dlq: 'dead letter',
  cron: 'scheduler',
  repeatable: 'scheduler',
  dag: 'flow',
  workflow: 'flow',
  tenant: 'group',
  'visibility timeout': 'lock',
};

/** The texts to search for: the given one, and the one in the words of the pages if that differs. */
export function searchedTexts(text: string): readonly string[] {
  const given = text.toLowerCase();
  const known = Object.entries(SYNONYMS).reduce(
    (words, [word, ours]) => words.replaceAll(word, ours),
    given,
  );
  return known === given ? [text] : [text, known];
}

/** Whether the search covers a page: reasons of past decisions answer no question of a user. */
export function isSearched(path: string): boolean {
  return !path.startsWith('docs/adr/');
}

/** How the index of the search is made and read. */
export const SEARCH_OPTIONS = {
  fields: ['title', 'page', 'text'],
  storeFields: ['title', 'page'],
};
