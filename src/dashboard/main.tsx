import { render } from 'preact';
import { App } from './app.tsx';
import { applyLook } from './frame/look.ts';
import { followLinks } from './navigation/route.ts';
import './style.css';

applyLook();
followLinks();
const root = document.createElement('div');
document.body.append(root);
render(<App />, root);
