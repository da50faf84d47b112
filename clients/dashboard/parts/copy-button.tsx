import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { With } from './properties.ts';
import { Quiet } from './button.tsx';

/** Copies a text, and confirms that for a moment. */
export function CopyButton({ text, label = 'Copy' }: With<'text', { label?: string }>): VNode {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await copyText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return <Quiet onClick={() => void copy()}>{copied ? 'Copied' : label}</Quiet>;
}

/** Puts a text on the clipboard. */
export async function copyText(text: string): Promise<void> {
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard !== undefined) {
    await clipboard.writeText(text);
    return;
  }
  // Browsers offer the clipboard only over TLS and on localhost; elsewhere a selection is copied, in the open dialog if
  // any.
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'unseen';
  (document.querySelector('dialog[open]') ?? document.body).append(field);
  field.select();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- nothing else copies without TLS
  document.execCommand('copy');
  field.remove();
}
