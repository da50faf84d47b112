import type { VNode } from 'preact';

/** Announces a problem; without a text it shows nothing. */
export function Problem({ children }: { readonly children: string | undefined }): VNode {
  return (
    <p role="alert" class="problem">
      {children}
    </p>
  );
}
