/**
 * The only script of the page: it hides the operations and schemas that lack a word of the search. Without it, the page
 * shows everything, folded.
 */
export const DOCS_SEARCH = `
const field = document.querySelector('input');
const folds = [...document.querySelectorAll('details')];
const found = document.querySelector('output');
const search = () => {
  const words = field.value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
  const shown = folds.filter((fold) => {
    const text = fold.textContent.toLowerCase();
    fold.hidden = !words.every((word) => text.includes(word));
    return !fold.hidden;
  });
  for (const part of document.querySelectorAll('main > section')) {
    part.hidden = part.querySelector('details:not([hidden])') === null;
  }
  found.value = words.length === 0 ? '' : shown.length + ' found';
  if (words.length > 0 && shown.length === 1) shown[0].open = true;
};
field.closest('form').hidden = false;
field.addEventListener('input', search);
field.closest('form').addEventListener('submit', (event) => event.preventDefault());
addEventListener('hashchange', () => {
  field.value = '';
  search();
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
});
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target === field || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  field.focus();
});
`;
