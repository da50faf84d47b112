import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { deflateSync, inflateSync } from 'node:zlib';
import { format, resolveConfig } from 'prettier';
import type { Page } from '../../../support/browser/page.ts';

/** A picture is compared as this many cells of one colour each, so that the edges of letters do not count. */
const [COLUMNS, ROWS] = [64, 40];

/** Red, green and blue. */
const PARTS = 3;

/** How much a part of a cell's colour may differ, out of 256, and how much all of them on average. */
const [MOST_OF_A_CELL, MOST_ON_AVERAGE] = [8, 0.25];

const FILE = new URL('looks.json', import.meta.url);

/** The width of a text in both fonts of the pictures. */
const WIDTH = `(() => {
  const pen = new OffscreenCanvas(1, 1).getContext('2d');
  const widths = ['14px "DejaVu Sans"', 'bold 14px "DejaVu Sans"', '13px "DejaVu Sans Mono"'].map((font) => {
    pen.font = font;
    return pen.measureText('The quick brown fox').width;
  });
  return Math.round(widths.reduce((sum, width) => sum + width, 0));
})()`;

interface Looks {
  /** The width of a text in the fonts of the pictures, in pixels: with other fonts, pages look different. */
  readonly font: number;
  /** The colours of the cells of each picture by its name, deflated, in base64. */
  readonly pictures: Readonly<Record<string, string>>;
}

/** How pages looked when they were last reviewed. */
export class KnownLooks {
  readonly #known: Looks;
  readonly #seen: Record<string, string> = {};

  private constructor(known: Looks) {
    this.#known = known;
  }

  /** @throws Error if the fonts differ. @param page an empty page of the browser. */
  static async with(page: Page): Promise<KnownLooks> {
    const font = await page.evaluate<number>(WIDTH);
    const known = existsSync(FILE)
      ? (JSON.parse(readFileSync(FILE, 'utf8')) as Looks)
      : { font, pictures: {} };
    if (known.font !== font && !isUpdated()) {
      throw new Error(
        'The pictures need the fonts DejaVu Sans and DejaVu Sans Mono, which Debian has in fonts-dejavu-core',
      );
    }
    return new KnownLooks({ ...known, font });
  }

  /** Where a picture differs from the kept one; undefined if they look the same. */
  async difference(page: Page, name: string, picture: Buffer): Promise<string | undefined> {
    const cells = Buffer.from(
      await page.evaluate<readonly number[]>(cellsOf(picture.toString('base64'))),
    );
    this.#seen[name] = deflateSync(cells).toString('base64');
    const packed = this.#known.pictures[name];
    const known = packed === undefined ? [] : inflateSync(Buffer.from(packed, 'base64'));
    const differences = [...cells].map((cell, index) => Math.abs(cell - (known[index] ?? 512)));
    const worst = Math.max(...differences);
    const average = differences.reduce((sum, each) => sum + each, 0) / differences.length;
    if (worst <= MOST_OF_A_CELL && average <= MOST_ON_AVERAGE) return undefined;
    const at = Math.floor(differences.indexOf(worst) / PARTS);
    const [x, y] = [at % COLUMNS, Math.floor(at / COLUMNS)];
    return `by ${worst} of 256 in cell ${x}, ${y} of ${COLUMNS} x ${ROWS}, ${average.toFixed(2)} on average`;
  }

  /** Keeps the new look, once it has been reviewed. */
  async keep(): Promise<void> {
    const looks = JSON.stringify({ font: this.#known.font, pictures: this.#seen });
    const options = await resolveConfig(FILE);
    writeFileSync(FILE, await format(looks, { ...options, parser: 'json' }));
  }
}

/** Whether to keep the current look of pages as the new reference. */
export function isUpdated(): boolean {
  return process.env['UPDATE_LOOKS'] === '1';
}

function cellsOf(png: string): string {
  return `(async () => {
    const picture = await createImageBitmap(await (await fetch('data:image/png;base64,${png}')).blob());
    const pen = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
    pen.drawImage(picture, 0, 0);
    const { data } = pen.getImageData(0, 0, picture.width, picture.height);
    const [width, height] = [picture.width / ${COLUMNS}, picture.height / ${ROWS}];
    return Array.from({ length: ${COLUMNS * ROWS} }, (_, cell) => {
      const [left, top] = [(cell % ${COLUMNS}) * width, Math.floor(cell / ${COLUMNS}) * height];
      const sums = [0, 0, 0];
      for (let y = top; y < top + height; y += 1)
        for (let x = left; x < left + width; x += 1) {
          const at = (y * picture.width + x) * 4;
          for (let part = 0; part < ${PARTS}; part += 1) sums[part] += data[at + part];
        }
      return sums.map((sum) => Math.round(sum / (width * height)));
    }).flat();
  })()`;
}
