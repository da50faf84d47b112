/** Whether the pages are served, and whether they offer actions. */
export type DashboardMode = 'on' | 'readonly' | 'off';
