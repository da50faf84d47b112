interface Frame {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
}

/** The frames of an answer up to its end. An incomplete last frame is dropped. */
export async function* framesOf(
  body: ReadableStream<Uint8Array>,
  heard: () => void,
): AsyncGenerator<Frame, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let frame: Record<string, string> = {};
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    heard();
    // A carriage return at the end may be the first half of a line break.
    const lines = (rest + decoder.decode(value, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [, field = '', content = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
      if (line === '') {
        yield frame;
        frame = {};
      } else if (field === 'data' && frame['data'] !== undefined) {
        frame['data'] += `\n${content}`;
      } else {
        frame[field] = content;
      }
    }
  }
}
