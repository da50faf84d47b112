import type { ComponentChildren, VNode } from 'preact';
import { CopyButton } from './copy-button.tsx';

/** Commands to send where there is nothing to show yet. */
export function Commands({
  title,
  commands,
  children,
}: {
  readonly title: string;
  readonly commands: readonly string[];
  readonly children: ComponentChildren;
}): VNode {
  return (
    <section class="card">
      <h2>{title}</h2>
      <p>{children}</p>
      {commands.map((command) => (
        <div key={command} class="command">
          <pre tabIndex={0}>{command}</pre>
          <CopyButton text={command} />
        </div>
      ))}
    </section>
  );
}
