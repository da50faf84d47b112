import { computed, signal } from '@preact/signals';
import { ROOT } from '../api/request.ts';
import { goBackTo, presentPlace, type Place } from './places.ts';

const BASE = new URL('dashboard', ROOT).pathname;

const address = signal(new URL(location.href));

/** The places on the entries of the history, by their numbers, and the number of the current one. */
const places = new Map<number, Place>();
let entry = 0;

/** The parts of the path below `/dashboard`, decoded. */
export const route = computed(() => {
  const rest = address.value.pathname.slice(BASE.length);
  return rest
    .split('/')
    .filter((part) => part !== '')
    .map(unescaped);
});

export const query = computed(() => address.value.searchParams);

/** The address of a page. */
export function pageLink(
  parts: readonly string[],
  parameters: Readonly<Record<string, string | undefined>> = {},
): string {
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  );
  const search = given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
  return [BASE, ...parts.map(encodeURIComponent)].join('/') + search;
}

/** The address of this page with other parameters. */
export function withParameters(changes: Readonly<Record<string, string | undefined>>): string {
  const parameters = { ...Object.fromEntries(query.value), ...changes };
  return pageLink(route.value, parameters);
}

export function goTo(link: string, { replace = false } = {}): void {
  const url = new URL(link, location.href);
  if (url.href === location.href) return;
  const isOtherPage = url.pathname !== location.pathname;
  if (replace) history.replaceState(history.state, '', url);
  else {
    places.set(entry, presentPlace());
    entry += 1;
    history.pushState({ entry }, '', url);
  }
  address.value = url;
  if (!isOtherPage) return;
  scrollTo(0, 0);
  // Once the new page is there, so that screen readers continue at its heading.
  setTimeout(() => document.querySelector('h1')?.focus({ preventScroll: true }));
}

/** The data that an entry of the history keeps for a reload. */
interface Left {
  readonly entry: number;
  readonly place?: Place;
}

/** Makes links to pages replace the page without a reload. */
export function followLinks(): void {
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest('a');
    if (link === null || event.button !== 0 || event.defaultPrevented) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const isPage = link.pathname === BASE || link.pathname.startsWith(`${BASE}/`);
    if (link.target !== '' || link.origin !== location.origin || !isPage) return;
    if (link.hash !== '') return;
    event.preventDefault();
    goTo(link.href);
  });
  history.scrollRestoration = 'manual';
  const { entry: reloaded, place } = (history.state ?? {}) as Partial<Left>;
  entry = reloaded ?? 0;
  history.replaceState({ entry }, '');
  if (place !== undefined) goBackTo(place);
  addEventListener('popstate', ({ state }) => {
    // A link to a part of this page creates an entry without a state.
    if (state === null) return;
    places.set(entry, presentPlace());
    ({ entry } = state as Left);
    address.value = new URL(location.href);
    goBackTo(places.get(entry) ?? { scroll: 0, link: null });
  });
  addEventListener('pagehide', () => {
    history.replaceState({ entry, place: presentPlace() } satisfies Left, '');
  });
}

function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
