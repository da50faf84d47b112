/** Whether the pages are served, and whether they offer actions. */
export type DashboardMode = 'on' | 'readonly' | 'off';

export interface DashboardSettings {
  readonly mode: DashboardMode;
  /** Whether people can sign in at the issuer of SIGN_IN_FILE. */
  readonly signsIn: boolean;
}
