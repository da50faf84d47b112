import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

/** Copies a text, and says so for a moment. */
export function CopyButton({
  text,
  label = 'Copy',
}: {
  readonly text: string;
  readonly label?: string;
}): VNode {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    // Browsers offer the clipboard over TLS and on this machine only.
    await (navigator.clipboard as Clipboard | undefined)?.writeText(text);
    setCopied(true);
    setTimeout(() => {
      setCopied(false);
    }, 2000);
  };
  return (
    <button type="button" class="quiet" onClick={() => void copy()}>
      {copied ? 'Copied' : label}
    </button>
  );
}
