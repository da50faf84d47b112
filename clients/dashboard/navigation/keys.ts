import { useEffect, useRef } from 'preact/hooks';
import { isLive } from '../api/following.ts';
import { theme } from '../frame/look.ts';
import { PAGES } from '../frame/pages.ts';
import { Preference } from '../frame/preference.ts';
import { goTo, pageLink } from './route.ts';

/** All keys, as the help shows them. */
export const KEYS = [
  ...PAGES.map(({ name, key }) => [`g ${key}`, name] as const),
  ['Ctrl K', 'Go to a page, a queue or a job'],
  ['/', 'Search on this page, or go to another'],
  ['j, k', 'Next row, row before'],
  ['Enter', 'Open the row'],
  ['x, a', 'Select the row, all rows'],
  ['Shift x', 'Select all rows from the last one that was selected'],
  ['.', 'More actions: of the row, or of what the page is about'],
  ['r, c, p', 'Retry, cancel, pause or resume: the row, or what the page is about'],
  ['[, ]', 'Page before, next page'],
  ['l', 'Follow what happens, or stop'],
  ['t', 'Change the theme'],
  ['?', 'This list'],
  ['Esc', 'Close'],
] as const;

/** Whether single letters are shortcuts: some input methods type them by accident (WCAG 2.1.4). */
export const letters = new Preference('letters', ['on', 'off']);

/** How long `g` waits for the key after it, in milliseconds. */
const SEQUENCE = 1000;

/** Opens the layers above the page. */
export interface Layers {
  readonly help: () => void;
  readonly palette: () => void;
}

export function useKeys(layers: Layers): void {
  const goes = useRef(-Infinity);
  const opened = useRef(layers);
  opened.current = layers;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.altKey || event.defaultPrevented) return;
      if (event.ctrlKey || event.metaKey) {
        if (event.key !== 'k' || document.querySelector('dialog[open]')) return;
        opened.current.palette();
        event.preventDefault();
        return;
      }
      if (
        letters.value === 'off' ||
        isField(event.target) ||
        document.querySelector('dialog[open]')
      ) {
        return;
      }
      const isAfterG = event.timeStamp - goes.current < SEQUENCE;
      const page = isAfterG ? PAGES.find(({ key }) => key === event.key) : undefined;
      goes.current = event.key === 'g' ? event.timeStamp : -Infinity;
      if (page !== undefined) goTo(pageLink(page.path));
      else if (!pressed(event.key, opened.current)) return;
      event.preventDefault();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

/** Actions of single keys. One returns false when it finds nothing to act on. */
const ACTIONS: Readonly<Record<string, (layers: Layers) => unknown>> = {
  '/': ({ palette }) => focus(document.querySelector('input[type="search"]')) || palette(),
  j: () => moveRow(1),
  k: () => moveRow(-1),
  x: () => click(currentRow()?.querySelector('input[type="checkbox"]')),
  X: () => selectRange(currentRow()?.querySelector('input[type="checkbox"]')),
  '.': () => click(place()?.querySelector<HTMLElement>('.menu-opener')),
  a: () => click(document.querySelector('thead input[type="checkbox"]')),
  r: () => act(['Retry']),
  c: () => act(['Cancel']),
  p: () => act(['Pause', 'Resume']),
  '[': () => click(document.querySelector('a[rel="prev"]')),
  ']': () => click(document.querySelector('a[rel="next"]')),
  l: () => {
    isLive.value = !isLive.value;
  },
  t: () => theme.next(),
  '?': ({ help }) => help(),
};

function pressed(key: string, layers: Layers): boolean {
  const action = ACTIONS[key];
  return action !== undefined && action(layers) !== false;
}

/** Moves through the rows by their first links, which open them. */
function moveRow(by: number): boolean {
  const rows = [...document.querySelectorAll('tr[data-row]')];
  const row = currentRow();
  const next = rows[row === null ? 0 : rows.indexOf(row) + by];
  return focus(next?.querySelector('a') ?? null);
}

function currentRow(): Element | null {
  return document.activeElement?.closest('tr[data-row]') ?? null;
}

/** The row, or else the page header. */
function place(): Element | null {
  return currentRow() ?? document.querySelector('.page-head');
}

/** Clicks a button of the row, or else of the page header, whose label begins with one of the words. */
function act(words: readonly string[]): boolean {
  const within = place();
  const labelled = (): HTMLElement | undefined =>
    [...(within?.querySelectorAll<HTMLButtonElement>('button:enabled') ?? [])].find(
      ({ textContent }) => words.some((word) => textContent.trim().startsWith(word)),
    );
  if (click(labelled())) return true;
  const opener = within?.querySelector<HTMLElement>('.menu-opener');
  if (!click(opener)) return false;
  // The menu has its buttons only once it is open; it closes again if none of them matches.
  setTimeout(() => click(labelled()) || click(opener));
  return true;
}

function selectRange(box: Element | null | undefined): boolean {
  return box?.dispatchEvent(new MouseEvent('click', { bubbles: true, shiftKey: true })) ?? false;
}

function focus(element: HTMLElement | null): boolean {
  element?.focus();
  return element !== null;
}

function click(element: HTMLElement | null | undefined): boolean {
  element?.click();
  return element !== null && element !== undefined;
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, select, textarea');
}
