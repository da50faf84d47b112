import { effect } from '@preact/signals';
import { Preference } from './preference.ts';

export const theme = new Preference('theme', ['system', 'light', 'dark']);
export const density = new Preference('density', ['normal', 'compact']);

/** Tells the stylesheet the chosen theme and density. */
export function applyLook(): void {
  const { dataset } = document.documentElement;
  effect(() => {
    dataset['theme'] = theme.value;
    dataset['density'] = density.value;
  });
}
