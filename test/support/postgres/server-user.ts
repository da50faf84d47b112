/** The user "nobody", by its number on all usual systems. */
const NOBODY = 65_534;

/** As whom the programs of PostgreSQL run, which refuse to run as root. */
export function serverUser(): { readonly uid?: number; readonly gid?: number } {
  return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
}
