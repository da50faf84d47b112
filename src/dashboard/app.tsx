import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { findOutWho, whoami } from './api/session.ts';
import { Frame } from './frame/frame.tsx';
import { SignIn } from './frame/sign-in.tsx';
import { route } from './navigation/route.ts';
import { otherPages } from './pages/other-page.tsx';
import { pageOf } from './pages/page-of.tsx';

export function App(): VNode | null {
  useEffect(() => {
    void findOutWho();
    otherPages.load();
  }, []);
  if (whoami.value === undefined) return null;
  if (whoami.value === null) return <SignIn />;
  return <Frame>{pageOf(route.value)}</Frame>;
}
