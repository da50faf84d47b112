const EXCLUDED = /^q\s*=\s*0(?:\.0*)?$/;

/**
 * Whether a header such as `Accept` or `Accept-Encoding` names the value with a weight above zero (RFC 9110, section
 * 12.4.2). A wildcard does not name it.
 *
 * @param value in lower case.
 */
export function isNamedIn(header: string | undefined, value: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((range) => {
    const [name, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return name === value && !parameters.some((each) => EXCLUDED.test(each));
  });
}
