/** Who asked for a hold of a queue, in words. */
export function holderInWords(holder: string): string {
  if (holder === 'endpoint') return 'an answer of the endpoint';
  return holder === 'caller' ? 'a caller of the API' : holder;
}
