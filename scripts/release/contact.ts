const MARKED = /<!-- contact: [^]*? -->\n([^]*?)\n<!-- end of contact -->/;

/** Whether SECURITY.md has an address for reports of vulnerabilities in its marked place. */
export function hasContact(page: string): boolean {
  const contact = MARKED.exec(page)?.[1] ?? '';
  return /mailto:[^@\s]+@[^@\s]+\.\w+|https:\/\/[\w-]+(?:\.[\w-]+)+/.test(contact);
}
