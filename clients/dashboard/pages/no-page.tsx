import type { VNode } from 'preact';
import { pageLink } from '../navigation/route.ts';
import { Page } from '../parts/page.tsx';

export function NoPage(): VNode {
  return (
    <Page title="No such page">
      <p class="empty">
        There is nothing here. <a href={pageLink([])}>Go to the queues</a>
      </p>
    </Page>
  );
}
