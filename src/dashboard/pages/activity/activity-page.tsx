import type { VNode } from 'preact';
import { Page } from '../../parts/page.tsx';
import { AuditList } from './audit-list.tsx';
import { LiveDigests } from './live-digests.tsx';

/** Live digests beside the audit. */
export function ActivityPage(): VNode {
  return (
    <Page title="Activity" context="What happens in queues, and who changed what">
      <div class="columns">
        <LiveDigests />
        <AuditList />
      </div>
    </Page>
  );
}
