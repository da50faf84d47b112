import type { VNode } from 'preact';
import type { Resource } from '../api/resource.ts';
import { pageLink } from '../navigation/route.ts';
import type { With } from './properties.ts';

/** The content of the page of one thing, unless the service has none of that name. */
export function Existing({
  of: { error },
  kind,
  name,
  children,
}: With<'name' | 'children', { of: Resource<unknown>; kind: string }>): VNode {
  if (error?.status !== 404) return <>{children}</>;
  const kinds = `${kind}s`;
  return (
    <p class="empty">
      There is no {kind} <bdi>{name}</bdi>. <a href={pageLink([kinds])}>All {kinds}</a>
    </p>
  );
}
