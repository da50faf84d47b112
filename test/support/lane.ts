/**
 * Whether the run plays the slow lane, `npm run test:slow`: every test, and each in full, for nights and for releases.
 * The everyday lane, `npm test`, plays a short piece of the tests of endurance, and on fewer stores what is the same on
 * each; it leaves out only tests of which others play a piece.
 */
export const isSlowLane = process.env['TEST_LANE'] === 'slow';

/** How often a test of endurance does something, or how much of it: in full, or in the piece for the everyday lane. */
export function rounds(full: number, everyday: number): number {
  return isSlowLane ? full : everyday;
}
