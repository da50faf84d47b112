import type { ComponentChildren, VNode } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { isReadOnly } from '../api/session.ts';
import { RightButton, titleOf, useActions, type Action } from './action.tsx';
import type { With } from './properties.ts';

export interface MenuItem {
  readonly label: string;
  /** The right that it needs; undefined for items that change nothing, such as a copy. */
  readonly right?: string | undefined;
  readonly title?: string;
  readonly choose: () => void;
}

/** A button that opens a list of the actions without a button of their own. */
export function Menu({
  label,
  items,
}: With<'label', { items: readonly MenuItem[] }>): VNode | null {
  const shown = isReadOnly ? items.filter(({ right }) => right === undefined) : items;
  if (shown.length === 0) return null;
  return (
    <Popover label={label} kind="menu-opener" opener="⋯">
      {() =>
        shown.map(({ label: name, right, title, choose }) => (
          <RightButton key={name} right={right} title={title} onClick={choose}>
            {name}
          </RightButton>
        ))
      }
    </Popover>
  );
}

/** A menu of actions, followed by other items. An action with a warning asks first. */
export function ActionMenu({
  label,
  actions,
  others = [],
}: With<'label', { actions: readonly Action[]; others?: readonly MenuItem[] }>): VNode {
  const { start, dialog } = useActions();
  const items = actions.map((action): MenuItem => ({
    label: action.label,
    right: action.right,
    title: titleOf(action),
    choose: () => start(action),
  }));
  return (
    <>
      <Menu label={label} items={[...items, ...others]} />
      {dialog}
    </>
  );
}

/**
 * A layer that opens from its button, and closes once one of its own buttons is chosen. It is empty until it opens, as
 * each row of a table may have one.
 */
export function Popover({
  label,
  kind = 'quiet',
  opener,
  children,
}: {
  readonly label: string;
  readonly kind?: string;
  readonly opener: ComponentChildren;
  readonly children: () => ComponentChildren;
}): VNode {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const place = (): void => {
    const from = button.current?.getBoundingClientRect();
    const layer = list.current;
    if (from === undefined || layer === null) return;
    const { offsetWidth: width, offsetHeight: height } = layer;
    const below = from.bottom + 4;
    layer.style.left = `${Math.max(8, Math.min(from.left, innerWidth - width - 8))}px`;
    layer.style.top = `${below + height > innerHeight ? Math.max(8, from.top - height - 4) : below}px`;
  };
  const press = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const targets = [
      ...(list.current?.querySelectorAll<HTMLElement>('button:enabled, input') ?? []),
    ];
    const at = targets.findIndex((each) => each === document.activeElement);
    targets[(at + by + targets.length) % targets.length]?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={kind}
        aria-label={label}
        title={label}
        popovertarget={id}
      >
        {opener}
      </button>
      <div
        ref={list}
        id={id}
        class="popover"
        popover="auto"
        onBeforeToggle={({ newState }) => setIsOpen(newState === 'open')}
        onToggle={({ newState }) => {
          if (newState !== 'open') return;
          place();
          list.current?.querySelector<HTMLElement>('button:enabled, input')?.focus();
        }}
        onKeyDown={press}
        onClick={({ target }) => {
          if ((target as Element).closest('button') !== null) list.current?.hidePopover();
        }}
      >
        {isOpen && children()}
      </div>
    </>
  );
}
