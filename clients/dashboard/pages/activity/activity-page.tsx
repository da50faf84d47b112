import type { VNode } from 'preact';
import { goTo, query, withParameters } from '../../navigation/route.ts';
import { Page } from '../../parts/page.tsx';
import { AuditList } from './audit-list.tsx';
import { LiveEvents } from './live-events.tsx';

/** Live events next to the audit, for all queues or for one. */
export function ActivityPage(): VNode {
  const queue = query.value.get('queue') ?? '';
  return (
    <Page title="Activity" context="What happens in queues, and who changed what">
      <search class="filter">
        <input
          type="search"
          aria-label="Queue"
          placeholder="All queues; type the name of one"
          value={queue}
          onChange={({ currentTarget }) =>
            goTo(withParameters({ queue: currentTarget.value.trim() }))
          }
        />
      </search>
      <div class="columns columns-late">
        <LiveEvents />
        <AuditList />
      </div>
    </Page>
  );
}
