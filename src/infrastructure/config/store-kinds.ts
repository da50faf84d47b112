export const STORE_KINDS = ['redis', 'postgres', 'embedded', 'memory'] as const;

export type StoreKind = (typeof STORE_KINDS)[number];
