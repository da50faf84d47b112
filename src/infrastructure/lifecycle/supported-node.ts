/** The oldest supported Node.js; `engines` in package.json says the same. */
const [OLDEST_MAJOR, OLDEST_MINOR] = [20, 19];

/** The message for a Node.js that is too old, undefined for any other. @param version such as `20.19.0`. */
export function unsupportedNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isSupported = major > OLDEST_MAJOR || (major === OLDEST_MAJOR && minor >= OLDEST_MINOR);
  return isSupported ? undefined : `jobgate needs Node.js ${OLDEST_MAJOR}.${OLDEST_MINOR} or later`;
}
