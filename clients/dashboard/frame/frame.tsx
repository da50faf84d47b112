import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { isLive, missed } from '../api/following.ts';
import { LoadedLater } from '../api/loaded-later.ts';
import { isReadOnly, signOut, whoami } from '../api/session.ts';
import { useSystem } from '../api/system.ts';
import { exactNumber } from '../format/number.tsx';
import { useKeys } from '../navigation/keys.ts';
import { pageLink, route } from '../navigation/route.ts';
import { Icon } from '../parts/icon.tsx';
import { Button, Quiet } from '../parts/button.tsx';
import { Toasts } from '../parts/toasts.tsx';
import { Announcer } from './announcer.tsx';
import { theme } from './look.ts';
import { PAGES } from './pages.ts';
import { zone } from './settings.ts';
import { Strip } from './strip.tsx';

const keyHelp = new LoadedLater(() => import('./key-help.tsx'));
const palette = new LoadedLater(() => import('./palette.tsx'));

/** The bar, the warnings and the messages around every page. */
export function Frame({ children }: { readonly children: ComponentChildren }): VNode {
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const [above, setAbove] = useState<'keys' | 'palette' | undefined>();
  useKeys({ help: () => setAbove('keys'), palette: () => setAbove('palette') });
  // Warnings would shift a page that is shown before them.
  const isSettled = useSystem();
  const close = (): void => setAbove(undefined);
  const room = route.value[0] ?? 'queues';
  const rights = whoami.value?.rights.join(', ');
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="bar">
        <a class="mark" href={pageLink([])} aria-hidden="true" tabIndex={-1}>
          jobgate
        </a>
        <Button
          class="menu-button quiet"
          aria-expanded={isMenuOpen}
          aria-controls="menu"
          onClick={() => setIsMenuOpen(!isMenuOpen)}
        >
          Menu
        </Button>
        <div id="menu" class={isMenuOpen ? 'menu menu-open' : 'menu'}>
          <nav aria-label="Pages">
            {PAGES.map(({ name, path }) => (
              <a
                key={name}
                href={pageLink(path)}
                aria-current={(path[0] ?? 'queues') === room ? 'page' : undefined}
                onClick={() => setIsMenuOpen(false)}
              >
                {name}
              </a>
            ))}
          </nav>
          <div class="tools">
            <Button
              class="seek"
              title="Go to a page, a queue or a job (/ or Ctrl K)"
              onClick={() => setAbove('palette')}
            >
              <Icon of="search" /> Go to … <kbd aria-hidden="true">/</kbd>
            </Button>
            <Quiet
              aria-pressed={isLive.value}
              title="Follow what happens (l)"
              onClick={() => (isLive.value = !isLive.value)}
            >
              <LiveState />
            </Quiet>
            <span class="preferences">
              <Quiet
                title="Write times in the zone of this browser, or in UTC"
                onClick={() => zone.next()}
              >
                {zone.value} time
              </Quiet>
              <Quiet title="Change the theme (t)" onClick={() => theme.next()}>
                {theme.value} theme
              </Quiet>
            </span>
            <Quiet title="Keys (?)" aria-label="Keys" onClick={() => setAbove('keys')}>
              ?
            </Quiet>
            <span class="who" title={rights}>
              {whoami.value?.name} <span class="muted">{isReadOnly ? 'read-only' : rights}</span>
            </span>
            <Quiet onClick={() => void signOut()}>Sign out</Quiet>
          </div>
        </div>
      </header>
      <Strip />
      <main id="content" tabIndex={-1} class={isSettled ? undefined : 'unsettled'}>
        {children}
      </main>
      <Toasts />
      <Announcer />
      {above === 'keys' && keyHelp.value && <keyHelp.value.KeyHelp close={close} />}
      {above === 'palette' && palette.value && <palette.value.Palette close={close} />}
    </>
  );
}

/** A component of its own: the number changes with each digest, and nothing else in the frame does. */
function LiveState(): VNode {
  if (isLive.value) {
    return (
      <>
        <Icon of="active" /> live
      </>
    );
  }
  return (
    <>
      <Icon of="paused" /> paused{missed.value > 0 && ` · ${exactNumber(missed.value)} new`}
    </>
  );
}
