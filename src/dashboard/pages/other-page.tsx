import type { VNode } from 'preact';
import { LoadedLater } from '../api/loaded-later.ts';
import { Page } from '../parts/page.tsx';

/**
 * The pages that are not needed first. They are loaded behind the first page, so that they are there even if the
 * service is not any more.
 */
export const otherPages = new LoadedLater(() => import('./other-pages.tsx'));

export function OtherPage({ path }: { readonly path: readonly string[] }): VNode {
  const loaded = otherPages.value;
  if (loaded !== undefined) return loaded.otherPage(path);
  return (
    <Page title="jobgate">
      <p class="empty">Loading …</p>
    </Page>
  );
}
