/** A job as small as one gets. */
export const job = { name: 'welcome', data: { to: 'ada@example.com' } };
