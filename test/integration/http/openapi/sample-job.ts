/** The smallest possible job. */
export const job = { name: 'welcome', data: { to: 'ada@example.com' } };
