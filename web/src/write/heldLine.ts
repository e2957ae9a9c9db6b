/** The share of the window's height, from its top, at which a held line stands. */
const HEIGHT = 0.42;

type Extent = { top: number; bottom: number };

/** How far to scroll so that the caret's middle stands at the held height, in whole pixels; positive scrolls down. */
export function distanceToHeld(caret: Extent, frame: Extent): number {
  const middle = (caret.top + caret.bottom) / 2;
  return Math.round(middle - (frame.top + (frame.bottom - frame.top) * HEIGHT));
}
