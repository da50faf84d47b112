/** What a token may allow (platform contract, section 11). */
export const RIGHTS = [
  'read',
  'data',
  'add',
  'process',
  'operate',
  'configure',
  'metrics',
  'tokens',
  'audit',
  'admin',
] as const;
