import type { VNode } from 'preact';
import type { With } from './properties.ts';

/** A part of a page with a heading of its own. */
export function Card({ title, children }: With<'title' | 'children'>): VNode {
  return (
    <section class="card">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
