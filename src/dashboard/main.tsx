import { render } from 'preact';
import { App } from './app.tsx';
import { applyTheme } from './frame/theme.ts';
import { followLinks } from './navigation/route.ts';
import './style.css';

applyTheme();
followLinks();
const root = document.createElement('div');
document.body.append(root);
render(<App />, root);
