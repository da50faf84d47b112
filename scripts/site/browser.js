// What a page of the site does in a browser: the search, the other versions, and a navigation that is closed on a phone.
import MiniSearch from 'minisearch';
import { SEARCH_OPTIONS, searchedTexts } from './search-options.ts';

/** Results that are shown. */
const MOST_FOUND = 12;

const root = document.querySelector('script[data-root]').dataset.root;
const query = document.querySelector('#query');
const found = document.querySelector('#found');

if (matchMedia('(width < 50rem)').matches) document.querySelector('nav details').open = false;

/** The index is loaded once somebody searches. */
let index;
function loadedIndex() {
  index ??= fetch(`${root}/search.json`)
    .then((answer) => answer.text())
    .then((text) => MiniSearch.loadJSON(text, SEARCH_OPTIONS));
  return index;
}

query.addEventListener('focus', loadedIndex);
query.addEventListener('input', async () => {
  const queries = searchedTexts(query.value).map((text) => ({
    queries: [text],
    prefix: true,
    fuzzy: 0.15,
    combineWith: 'AND',
    boost: { title: 4, page: 2 },
  }));
  const all = (await loadedIndex()).search({ combineWith: 'OR', queries });
  found.replaceChildren(...all.slice(0, MOST_FOUND).map(entry));
  found.hidden = all.length === 0;
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') found.hidden = true;
  if (document.activeElement?.closest('search') && !found.hidden) choose(event);
  if (event.key === '/' && document.activeElement !== query) {
    event.preventDefault();
    query.focus();
  }
});
document.addEventListener('click', (event) => {
  if (!event.target.closest('search')) found.hidden = true;
});

/** Enter opens the first result, and the arrows lead through all of them and back to the text. */
function choose(event) {
  const places = [query, ...found.querySelectorAll('a')];
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const place = places.indexOf(document.activeElement);
  if (step !== undefined) {
    event.preventDefault();
    places[(place + step + places.length) % places.length].focus();
  } else if (event.key === 'Enter' && place === 0) {
    event.preventDefault();
    places[1]?.click();
  }
}

function entry({ id, title, page }) {
  const link = document.createElement('a');
  link.href = `${root}/${id}`;
  const where = document.createElement('small');
  where.textContent = page;
  link.append(title, where);
  const item = document.createElement('li');
  item.append(link);
  return item;
}

const versions = document.querySelector('#version');
fetch(`${root}/../versions.json`)
  .then((answer) => answer.json())
  .then((all) => {
    const current = versions.value;
    versions.replaceChildren(
      ...all.map((version) => new Option(version, version, false, version === current)),
    );
  })
  // A copy of one version alone has no list of versions.
  .catch(() => undefined);
versions.addEventListener('change', () => {
  location.href = `${root}/../${versions.value}/index.html`;
});
