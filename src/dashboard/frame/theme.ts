import { signal } from '@preact/signals';

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'jobgate-theme';
const ORDER: readonly Theme[] = ['system', 'light', 'dark'];

export const theme = signal<Theme>(stored());

/** The attribute overrides what the system asks for. */
export function applyTheme(): void {
  if (theme.value === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme.value;
}

export function nextTheme(): void {
  const chosen = ORDER[(ORDER.indexOf(theme.value) + 1) % ORDER.length] ?? 'system';
  theme.value = chosen;
  try {
    localStorage.setItem(KEY, chosen);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  applyTheme();
}

function stored(): Theme {
  try {
    const value = localStorage.getItem(KEY);
    return ORDER.find((each) => each === value) ?? 'system';
  } catch {
    return 'system';
  }
}
