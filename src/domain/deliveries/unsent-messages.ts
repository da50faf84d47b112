/*
 * How many messages of a hook wait, those being sent included (platform contract, section 15 "Fair"). Beyond, the oldest
 * fail, and the hooks that want to know get one `hook.failing`: another one only after fewer messages waited.
 */

/** How many messages of a hook wait at most. */
export const MOST_UNSENT = 10_000;

/** Below how many waiting messages the next one beyond MOST_UNSENT is reported again. */
export const FEW_UNSENT = 9000;

/** How many calls that follow jobs of a queue wait at most: those beyond are held back until there is room. */
export const MOST_CALLBACKS = 100_000;

/** How many calls that were held back are made at most where one ended. */
export const MADE_FOR_ONE = 2;

/** Why the oldest messages of a hook fail. */
export const TOO_MANY_UNSENT = 'Too many messages wait';

/** How many messages fail at most for each one that is added: a step stays short where far too many wait. */
export const MOST_FAILED_FOR_ONE = 2;
