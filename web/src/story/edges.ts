import type { Point } from "./layout";

/** How large somebody is drawn. */
export const PERSON = { width: 172, height: 52 };

/** The room between somebody and the end of a line. */
const GAP = 4;

/** A line between the borders of two people, and its middle. */
export function between(a: Point, b: Point): { from: Point; to: Point; middle: Point } {
  const from = border(a, b);
  const to = border(b, a);
  return { from, to, middle: { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 } };
}

/** Where the line from one centre to another leaves the box around the first. */
function border(from: Point, to: Point): Point {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  if (dx === 0 && dy === 0) return from;
  const across = (PERSON.width / 2 + GAP) / Math.abs(dx);
  const down = (PERSON.height / 2 + GAP) / Math.abs(dy);
  const share = Math.min(across, down, 0.5);
  return { x: from.x + dx * share, y: from.y + dy * share };
}
