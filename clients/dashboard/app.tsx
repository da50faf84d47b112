import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { LoadedLater } from './api/loaded-later.ts';
import { findOutWho, whoami } from './api/session.ts';
import { Frame } from './frame/frame.tsx';
import { route } from './navigation/route.ts';
import { pageOf } from './pages/page-of.tsx';

/** Loaded when needed: people who are signed in see no form. */
const signIn = new LoadedLater(() => import('./frame/sign-in.tsx'));

export function App(): VNode {
  useEffect(() => void findOutWho(), []);
  const form = whoami.value === null ? signIn.value : undefined;
  if (form) return <form.SignIn />;
  // The same content as in the document before this script is loaded.
  if (!whoami.value) {
    return (
      <header class="bar">
        <span class="mark">jobgate</span>
      </header>
    );
  }
  return <Frame>{pageOf(route.value)}</Frame>;
}
