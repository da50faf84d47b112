import { render } from 'preact';
import { App } from './app.tsx';
import { applyLook } from './frame/look.ts';
import { followLinks } from './navigation/route.ts';

applyLook();
followLinks();
const root = document.getElementById('root');
if (root !== null) render(<App />, root);
