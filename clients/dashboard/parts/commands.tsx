import type { VNode } from 'preact';
import { Card } from './card.tsx';
import { CopyButton } from './copy-button.tsx';
import type { With } from './properties.ts';

/** Commands to send where there is nothing to show yet. */
export function Commands({
  title,
  commands,
  children,
}: With<'title' | 'children', { commands: readonly string[] }>): VNode {
  return (
    <Card title={title}>
      <p>{children}</p>
      {commands.map((command) => (
        <div key={command} class="command">
          <pre tabIndex={0}>{command}</pre>
          <CopyButton text={command} />
        </div>
      ))}
    </Card>
  );
}
