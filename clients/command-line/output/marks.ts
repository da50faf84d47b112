/**
 * Coloured text is enclosed in Unicode noncharacters, which the terminal replaces by colours as the last step. Thus job
 * data never contains a control character: at worst, a job colours its own text.
 */
const MARKS = { red: '\ufdd0', green: '\ufdd1', yellow: '\ufdd2', cyan: '\ufdd3', dim: '\ufdd4' };
const END = '\ufddf';

const SEQUENCES: Readonly<Record<string, string>> = {
  [MARKS.red]: '\u001b[31m',
  [MARKS.green]: '\u001b[32m',
  [MARKS.yellow]: '\u001b[33m',
  [MARKS.cyan]: '\u001b[36m',
  [MARKS.dim]: '\u001b[2m',
  [END]: '\u001b[0m',
};

export type Colour = keyof typeof MARKS;

export function coloured(text: string, colour: Colour | undefined): string {
  return colour === undefined || text === '' ? text : MARKS[colour] + text + END;
}

/** The text with or without its colours. */
export function rendered(text: string, colours: 'with colours' | 'plain'): string {
  return text.replaceAll(/[\ufdd0-\ufddf]/g, (mark) =>
    colours === 'with colours' ? (SEQUENCES[mark] ?? '') : '',
  );
}

/** The states of jobs, workers, calls, outcomes and messages that have a colour. */
const STATES: Readonly<Partial<Record<Colour, readonly string[]>>> = {
  red: ['failed', 'failing', 'disabled', 'open', 'timeout', 'refused', 'cancelled'],
  yellow: [
    'stalled',
    'paused',
    'held',
    'blocked',
    'probing',
    'deferred',
    'delayed',
    'suspended',
    'pending',
  ],
  cyan: ['active'],
  green: ['completed', 'healthy', 'ok', 'delivered'],
};

export function colourOf(state: string): Colour | undefined {
  const colours = Object.keys(STATES) as Colour[];
  return colours.find((colour) => STATES[colour]?.includes(state));
}
