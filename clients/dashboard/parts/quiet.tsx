import type { ButtonHTMLAttributes, VNode } from 'preact';

/** A button without a frame. */
export function Quiet(attributes: ButtonHTMLAttributes): VNode {
  return <button type="button" class="quiet" {...attributes} />;
}
