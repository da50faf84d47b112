// What a page of the site does in a browser: the search, the other versions, and a navigation that is closed on a phone.
import MiniSearch from 'minisearch';
import { SEARCH_OPTIONS } from './search-options.ts';

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
  const all = (await loadedIndex()).search(query.value, {
    prefix: true,
    fuzzy: 0.15,
    combineWith: 'AND',
    boost: { title: 4, page: 2 },
  });
  found.replaceChildren(...all.slice(0, MOST_FOUND).map(entry));
  found.hidden = all.length === 0;
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') found.hidden = true;
  if (event.key === '/' && document.activeElement !== query) {
    event.preventDefault();
    query.focus();
  }
});
document.addEventListener('click', (event) => {
  if (!event.target.closest('search')) found.hidden = true;
});

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
