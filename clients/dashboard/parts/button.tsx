import type { ButtonHTMLAttributes, VNode } from 'preact';

export function Button(attributes: ButtonHTMLAttributes): VNode {
  return <button type="button" {...attributes} />;
}

/** A button without a frame. */
export function Quiet(attributes: ButtonHTMLAttributes): VNode {
  return <Button class="quiet" {...attributes} />;
}
