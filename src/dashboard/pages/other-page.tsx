import { signal } from '@preact/signals';
import type { VNode } from 'preact';
import { Page } from '../parts/page.tsx';
import type * as OtherPages from './other-pages.tsx';

/** The pages that are not needed first. */
const pages = signal<typeof OtherPages | undefined>(undefined);

/** After a failure. Milliseconds. */
const AGAIN = 2000;

/** Loads them behind the first page, so that they are there even if the service is not any more. */
export function loadOtherPages(): void {
  import('./other-pages.tsx').then(
    (loaded) => (pages.value = loaded),
    () => setTimeout(loadOtherPages, AGAIN),
  );
}

export function OtherPage({ path }: { readonly path: readonly string[] }): VNode {
  if (pages.value !== undefined) return pages.value.otherPage(path);
  return (
    <Page title="jobgate">
      <p class="empty">Loading …</p>
    </Page>
  );
}
