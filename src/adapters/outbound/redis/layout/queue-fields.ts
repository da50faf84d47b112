/** The field of a queue's metadata that says that the registry lists it. */
export const LISTED = 'jobgate.listed';
