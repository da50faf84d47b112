/** Where the reader was on a page: how far down, and on which link. */
export interface Place {
  readonly scroll: number;
  readonly link: string | null;
}

/** How long a page may take to grow back to its former length, in milliseconds. */
const PATIENCE = 3000;

/** Input of the reader, which ends the return to the place. */
const OWN = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

export function presentPlace(): Place {
  const link = document.activeElement?.closest('a')?.getAttribute('href') ?? null;
  return { scroll: scrollY, link };
}

/** Returns to the place once the page, which reads its data again, is as long as it was. */
export function goBackTo({ scroll, link }: Place): void {
  const own = new AbortController();
  const { signal } = own;
  for (const kind of OWN) addEventListener(kind, () => own.abort(), { signal, passive: true });
  const end = performance.now() + PATIENCE;
  const attempt = (): void => {
    if (signal.aborted) return;
    const target =
      link === null ? null : document.querySelector<HTMLElement>(`a[href="${CSS.escape(link)}"]`);
    target?.focus({ preventScroll: true });
    scrollTo(0, scroll);
    const isThere = Math.abs(scrollY - scroll) < 1 && (link === null || target !== null);
    if (isThere || performance.now() > end) own.abort();
    else requestAnimationFrame(attempt);
  };
  requestAnimationFrame(attempt);
}
