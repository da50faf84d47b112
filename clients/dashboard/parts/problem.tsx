import type { VNode } from 'preact';

/** What is wrong; empty for nothing. */
export function Problem({ children }: { readonly children: string | undefined }): VNode {
  return (
    <p role="alert" class="problem">
      {children}
    </p>
  );
}
