/** How many of the latest changes of kept records are known: a replica that has missed more reads all records. */
export const KNOWN_CHANGES = 1000;
