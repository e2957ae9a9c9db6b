import { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } from "d3-force";

export type Point = { x: number; y: number };
type Tie = { from: string; to: string; strength: number };
type Body = { id: string; x: number; y: number };

const TICKS = 260;
const TURN = Math.PI * (3 - Math.sqrt(5));
/** How many beginnings are tried; the more there are to place, the fewer. */
const TRIES = 24;
const MANY = 40;
const ROOM = 100;
/** People are wider than high, and so is the picture. */
const WIDE = 1.4;

/**
 * Where each stands so that those with ties are near each other and few lines cross. The same input always gives the
 * same picture.
 */
export function layout(ids: readonly string[], ties: readonly Tie[]): Map<string, Point> {
  const known = new Set(ids);
  const lines = ties.filter(({ from, to }) => known.has(from) && known.has(to));
  const tries = ids.length > MANY ? 1 : TRIES;
  let best = settle(ids, lines, 0);
  let least = disorder(best, lines);
  for (let beginning = 1; beginning < tries && least > 0; beginning++) {
    const next = settle(ids, lines, beginning);
    const found = disorder(next, lines);
    if (found < least) [best, least] = [next, found];
  }
  return best;
}

/** Lets the forces work from one of the beginnings. */
function settle(ids: readonly string[], ties: readonly Tie[], beginning: number): Map<string, Point> {
  const step = 1 + (beginning % Math.max(1, ids.length));
  const bodies: Body[] = ids.map((id, index) => {
    const place = (index * step + beginning) % Math.max(1, ids.length);
    const radius = 60 * Math.sqrt(place + 0.5 + index / 100);
    return { id, x: radius * Math.cos(place * TURN), y: radius * Math.sin(place * TURN) };
  });
  const links = ties.map(({ from, to, strength }) => ({ source: from, target: to, strength }));
  forceSimulation(bodies)
    .force(
      "ties",
      forceLink<Body, (typeof links)[number]>(links)
        .id(({ id }) => id)
        .distance(({ strength }) => 260 - 70 * strength)
        .strength(0.35),
    )
    .force("apart", forceManyBody().strength(-1600).distanceMax(900))
    .force("room", forceCollide(ROOM))
    .force("across", forceX(0).strength(0.12))
    .force("down", forceY(0).strength(0.08))
    .stop()
    .tick(TICKS);
  return new Map(bodies.map(({ id, x, y }) => [id, { x: Math.round(x * WIDE), y: Math.round(y) }]));
}

/** How hard a picture is to read: lines that cross, and lines that run behind somebody they do not concern. */
export function disorder(places: ReadonlyMap<string, Point>, ties: readonly Tie[]): number {
  const lines = ties.flatMap(({ from, to }) => {
    const [a, b] = [places.get(from), places.get(to)];
    return a && b ? [{ from, to, a, b }] : [];
  });
  let found = 0;
  lines.forEach((one, index) => {
    for (const other of lines.slice(index + 1)) {
      const isJoined = [other.from, other.to].some((end) => end === one.from || end === one.to);
      if (!isJoined && cross(one.a, one.b, other.a, other.b)) found += 1;
    }
    for (const [id, place] of places) {
      if (id !== one.from && id !== one.to && distance(place, one.a, one.b) < ROOM / 2) found += 2;
    }
  });
  return found;
}

function cross(a: Point, b: Point, c: Point, d: Point): boolean {
  const side = (p: Point, q: Point, r: Point) =>
    Math.sign((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x));
  return side(a, b, c) !== side(a, b, d) && side(c, d, a) !== side(c, d, b);
}

/** How far a point is from a line between two others. */
function distance(point: Point, a: Point, b: Point): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : ((point.x - a.x) * dx + (point.y - a.y) * dy) / length;
  const at = Math.max(0, Math.min(1, share));
  return Math.hypot(point.x - a.x - at * dx, point.y - a.y - at * dy);
}
