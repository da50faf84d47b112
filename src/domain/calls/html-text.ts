/** How much of a page is examined, in characters. */
const MOST_CHARACTERS = 65_536;

/** Comments, elements that are not displayed, and tags. Each extends to its end, or else to the end of the page. */
const NO_TEXT =
  /<!--[\s\S]*?(?:-->|$)|<(script|style|title)\b[\s\S]*?(?:<\/\1\s*>|$)|<[a-z/!?][^>]*(?:>|$)/gi;

const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['#39', "'"],
  ['nbsp', ' '],
  ['amp', '&'],
]);

const REFERENCE = /&(lt|gt|quot|apos|#39|nbsp|amp);/g;

export function looksLikePage(text: string): boolean {
  return /^\s*<(?:!doctype html|html)\b/i.test(text.slice(0, MOST_CHARACTERS));
}

export function hasTags(text: string): boolean {
  return /<\/?[a-z][^<>]*>/i.test(text.slice(0, MOST_CHARACTERS));
}

/** The visible text of a page, without tags, on one line. */
export function htmlText(page: string): string {
  return page
    .slice(0, MOST_CHARACTERS)
    .replace(NO_TEXT, ' ')
    .replace(REFERENCE, (reference, name: string) => CHARACTERS.get(name) ?? reference)
    .replace(/\s+/g, ' ')
    .trim();
}
