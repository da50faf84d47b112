import type { VNode } from 'preact';
import { pageLink } from '../navigation/route.ts';

/** The longest id that is shown whole. Longer ids are cut in the middle, where people look last. */
const ID_LENGTH = 20;

export function shortId(id: string): string {
  const half = ID_LENGTH / 2;
  return id.length <= ID_LENGTH + 1 ? id : `${id.slice(0, half)}…${id.slice(-half)}`;
}

export function JobLink({ queue, id }: { readonly queue: string; readonly id: string }): VNode {
  return (
    <a class="id" href={pageLink(['queues', queue, 'jobs', id])} title={id}>
      {shortId(id)}
    </a>
  );
}
