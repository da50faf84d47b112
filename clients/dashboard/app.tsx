import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { findOutWho, whoami } from './api/session.ts';
import { Frame } from './frame/frame.tsx';
import { SignIn } from './frame/sign-in.tsx';
import { route } from './navigation/route.ts';
import { pageOf } from './pages/page-of.tsx';

export function App(): VNode {
  useEffect(() => void findOutWho(), []);
  // The same content as in the document before this script is loaded.
  if (whoami.value === undefined) {
    return (
      <header class="bar">
        <span class="mark">jobgate</span>
      </header>
    );
  }
  if (whoami.value === null) return <SignIn />;
  return <Frame>{pageOf(route.value)}</Frame>;
}
