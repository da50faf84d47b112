import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import { isLive } from '../api/live.ts';
import { isReadOnly, signOut, whoami } from '../api/session.ts';
import { pageLink, route } from '../navigation/route.ts';
import { useKeys } from '../navigation/keys.ts';
import { Toasts } from '../parts/toasts.tsx';
import { Announcer } from './announcer.tsx';
import { KeyHelp } from './key-help.tsx';
import { PAGES } from './pages.ts';
import { Palette } from './palette.tsx';
import { Strip } from './strip.tsx';
import { theme } from './look.ts';

/** The bar, the warnings and the messages around every page. */
export function Frame({ children }: { readonly children: ComponentChildren }): VNode {
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const [above, setAbove] = useState<'keys' | 'palette' | undefined>();
  useKeys({ help: () => setAbove('keys'), palette: () => setAbove('palette') });
  const close = (): void => setAbove(undefined);
  const room = route.value[0] ?? 'queues';
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="bar">
        <a class="mark" href={pageLink([])} aria-hidden="true" tabIndex={-1}>
          jobgate
        </a>
        <button
          type="button"
          class="menu-button quiet"
          aria-expanded={isMenuOpen}
          aria-controls="menu"
          onClick={() => setIsMenuOpen(!isMenuOpen)}
        >
          Menu
        </button>
        <div id="menu" class={isMenuOpen ? 'menu menu-open' : 'menu'}>
          <nav aria-label="Pages">
            {PAGES.map(([name, path]) => (
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
            <button
              type="button"
              class="quiet"
              aria-pressed={isLive.value}
              title="Follow what happens (l)"
              onClick={() => (isLive.value = !isLive.value)}
            >
              {isLive.value ? '● live' : '⏸ paused'}
            </button>
            <button
              type="button"
              class="quiet"
              title="Change the theme (t)"
              onClick={() => theme.next()}
            >
              {theme.value} theme
            </button>
            <button
              type="button"
              class="quiet"
              title="Go to a queue or a job (Ctrl K)"
              onClick={() => setAbove('palette')}
            >
              Go to
            </button>
            <button type="button" class="quiet" title="Keys (?)" onClick={() => setAbove('keys')}>
              Keys
            </button>
            <span class="who" title={whoami.value?.rights.join(', ')}>
              {whoami.value?.name}
              {isReadOnly && ' · read-only'}
            </span>
            <button type="button" class="quiet" onClick={() => void signOut()}>
              Sign out
            </button>
          </div>
        </div>
      </header>
      <Strip />
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <Toasts />
      <Announcer />
      {above === 'keys' && <KeyHelp close={close} />}
      {above === 'palette' && <Palette close={close} />}
    </>
  );
}
