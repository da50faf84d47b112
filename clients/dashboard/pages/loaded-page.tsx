import type { VNode } from 'preact';
import { LoadedLater } from '../api/loaded-later.ts';
import { Page } from '../parts/page.tsx';

/** A page whose code is loaded when it is first opened. Until then only its title is shown. */
export function loadedPage<Properties extends object>(
  titleOf: (properties: Properties) => string,
  load: () => Promise<(properties: Properties) => VNode>,
): (properties: Properties) => VNode {
  const page = new LoadedLater(load);
  return function LoadedPage(properties: Properties): VNode {
    const Loaded = page.value;
    if (Loaded !== undefined) return <Loaded {...properties} />;
    return (
      <Page title={titleOf(properties)}>
        <p class="empty">Loading …</p>
      </Page>
    );
  };
}
