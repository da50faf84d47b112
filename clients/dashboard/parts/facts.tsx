import { Fragment, type ComponentChildren, type VNode } from 'preact';

/** The class is that of the content. */
export type Fact = readonly [name: string, content: ComponentChildren, kind?: string];

/** Names with what belongs to each, except those without anything. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }): VNode {
  const shown = facts.filter(([, content]) => (content ?? false) !== false);
  return (
    <dl class="facts">
      {shown.map(([name, content, kind]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd class={kind}>{content}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
