import { effect } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Resource } from '../api/resource.ts';
import { missedFailures } from '../api/digest-stream.ts';
import { Time } from '../format/time.tsx';
import { CopyButton } from './copy-button.tsx';

/** A page: its only heading with what belongs to it, and the content. */
export function Page({
  title,
  heading,
  copied,
  context,
  actions,
  children,
}: {
  /** The title of the window. */
  readonly title: string;
  /** Replaces the title on the page. */
  readonly heading?: ComponentChildren;
  /** A text that can be copied, shown after the heading. */
  readonly copied?: string;
  /** One line about what the page shows. */
  readonly context?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}): VNode {
  useEffect(
    () =>
      effect(() => {
        const missed = missedFailures.value > 0 ? `(${missedFailures.value}) ` : '';
        document.title = `${missed}${title} · jobgate`;
      }),
    [title],
  );
  return (
    <>
      <header class="page-head">
        <div>
          <div class="heading">
            <h1 tabIndex={-1}>{heading ?? title}</h1>
            {copied !== undefined && <CopyButton text={copied} />}
          </div>
          <p class="context">{context ?? '\u00a0'}</p>
        </div>
        {actions !== undefined && <div class="buttons">{actions}</div>}
      </header>
      {children}
    </>
  );
}

/** Shows an answer, or else the error. An answer stays, with its age, when the next read fails. */
export function Read<T>({
  of: { data, error, at },
  children,
}: {
  readonly of: Resource<T>;
  readonly children: (data: T) => ComponentChildren;
}): VNode {
  if (data === undefined) {
    return error === undefined ? (
      <p class="empty">Loading …</p>
    ) : (
      <p class="empty" role="alert">
        {error.message}
      </p>
    );
  }
  return (
    <>
      {error !== undefined && (
        <p class="notice" role="alert">
          {error.message}. What you see is from <Time at={at ?? null} />.
        </p>
      )}
      {children(data)}
    </>
  );
}
