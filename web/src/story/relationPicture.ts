import type { Character } from "../api/story";
import { type Drawing, escaped } from "../parts/png";
import { type Bond, colours, dashes, keyOf, tone } from "./bonds";
import { between, PERSON } from "./edges";
import { layout, type Point } from "./layout";
import { initials } from "./parts";

const MARGIN = 32;
const CAPTION = 40;
const RADIUS = 20;
/** The width of the text beside a seal. */
const ROOM = PERSON.width - 2 * RADIUS - 28;
/** Letters that are as wide as they are high. */
const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/u;

/** Returns the value of a property of the page, such as `var(--ink)`. */
export type Resolve = (value: string) => string;

export type RelationPicture = {
  characters: readonly Character[];
  /** Every line there ever is, which places the people. */
  all: readonly Bond[];
  /** The lines that are shown. */
  lines: readonly Bond[];
  faint: ReadonlySet<string>;
  /** What stands below the picture. */
  caption: string;
  /** The name of a relation in the language of the page. */
  nameOf: (kind: Bond["kind"]) => string;
  resolve: Resolve;
};

/** Draws the cast and what is between them as SVG, as the graph of the page shows them. */
export function relationPicture(picture: RelationPicture): Drawing {
  const { characters, all, lines, faint, caption, nameOf, resolve } = picture;
  const places = layout(
    characters.map(({ id }) => id),
    all,
  );
  const points = [...places.values()];
  const edge = (pick: (...values: number[]) => number, of: (point: Point) => number) =>
    points.length > 0 ? pick(...points.map(of)) : 0;
  const left = edge(Math.min, ({ x }) => x) - PERSON.width / 2 - MARGIN;
  const top = edge(Math.min, ({ y }) => y) - PERSON.height / 2 - MARGIN;
  const width = edge(Math.max, ({ x }) => x) + PERSON.width / 2 + MARGIN - left;
  const height = edge(Math.max, ({ y }) => y) + PERSON.height / 2 + CAPTION + MARGIN - top;
  const [ink, dim, paper] = [resolve("var(--ink)"), resolve("var(--dim)"), resolve("var(--paper)")] as const;
  const [serif, sans] = [escaped(resolve("var(--serif)")), escaped(resolve("var(--sans)"))] as const;
  const text = (x: number, y: number, words: string, style: string) =>
    `<text x="${x}" y="${y}" ${style}>${escaped(words)}</text>`;

  const line = (bond: Bond) => {
    const [a, b] = [places.get(bond.from), places.get(bond.to)];
    if (!a || !b) return "";
    const { from, to, middle } = between(a, b);
    const kind = tone(bond.kind);
    const stroke = resolve(colours[kind]);
    const dash = dashes[kind] ? ` stroke-dasharray="${dashes[kind]}"` : "";
    const isFaint = faint.has(bond.from) || faint.has(bond.to);
    const label = bond.own || nameOf(bond.kind);
    const half = widthOf(label, 12) / 2 + 6;
    return `<g${isFaint ? ' opacity="0.35"' : ""}>
<path d="M${from.x} ${from.y}L${to.x} ${to.y}" stroke="${stroke}" stroke-width="${1 + 2 * bond.strength}"${dash}/>
${bond.isDirected ? head(from, to, stroke) : ""}
<rect x="${middle.x - half}" y="${middle.y - 10}" width="${2 * half}" height="20" rx="8" fill="${paper}"/>
${text(middle.x, middle.y + 4, label, `text-anchor="middle" font-size="12" font-family="${sans}" fill="${ink}"`)}
</g>`;
  };

  const person = (character: Character) => {
    const place = places.get(character.id);
    if (!place) return "";
    const { soft, strong } = sealOf(character.role_type);
    const [x, y] = [place.x - PERSON.width / 2, place.y - PERSON.height / 2];
    const isFaint = faint.has(character.id);
    const beside = x + 2 * RADIUS + 14;
    const { name, occupation } = character;
    const bold = `font-size="15" font-weight="600" font-family="${serif}" fill="${ink}"`;
    const small = `font-size="11" font-family="${sans}" fill="${dim}"`;
    return `<g>
<rect x="${x}" y="${y}" width="${PERSON.width}" height="${PERSON.height}" rx="26" fill="${resolve("var(--panel)")}" stroke="${resolve("var(--line)")}"${isFaint ? ' stroke-dasharray="3 3"' : ""}/>
<g${isFaint ? ' opacity="0.45"' : ""}>
<circle cx="${x + 6 + RADIUS}" cy="${place.y}" r="${RADIUS}" fill="${resolve(soft)}" stroke="${resolve(strong)}"/>
${text(x + 6 + RADIUS, place.y + 6, initials(name), `text-anchor="middle" font-size="17" font-weight="600" font-family="${serif}" fill="${resolve(strong === "var(--line)" ? "var(--ink)" : strong)}"`)}
${text(beside, place.y + (occupation ? -1 : 5), fitted(name, ROOM, 15), bold)}
${occupation ? text(beside, place.y + 15, fitted(occupation, ROOM, 11), small) : ""}
</g>
</g>`;
  };

  const below = text(
    left + MARGIN,
    top + height - MARGIN / 2,
    fitted(caption, width - 2 * MARGIN, 12),
    `font-size="12" font-family="${sans}" fill="${dim}"`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${left} ${top} ${width} ${height}">
<rect x="${left}" y="${top}" width="${width}" height="${height}" fill="${paper}"/>
<g fill="none">
${[...lines]
  .sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  .map(line)
  .join("\n")}
</g>
${characters.map(person).join("\n")}
${below}
</svg>
`;
  return { svg, width, height };
}

/** The colours of somebody's seal, as the page has them. */
function sealOf(role: Character["role_type"]): { soft: string; strong: string } {
  switch (role) {
    case "protagonist":
      return { soft: "var(--feather-soft)", strong: "var(--feather)" };
    case "antagonist":
      return { soft: "var(--red-soft)", strong: "var(--red)" };
    case "supporting":
      return { soft: "var(--amber-soft)", strong: "var(--amber)" };
    default:
      return { soft: "var(--sunken)", strong: "var(--line)" };
  }
}

/** The head of an arrow at the end of a line. */
function head(from: Point, to: Point, colour: string): string {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [ux, uy] = [((to.x - from.x) / length) * 9, ((to.y - from.y) / length) * 9];
  const [back, side] = [
    { x: to.x - ux, y: to.y - uy },
    { x: -uy * 0.4, y: ux * 0.4 },
  ];
  return `<path fill="${colour}" d="M${to.x} ${to.y}L${back.x + side.x} ${back.y + side.y}L${back.x - side.x} ${back.y - side.y}Z"/>`;
}

/** About how wide a text is. */
function widthOf(text: string, size: number): number {
  return [...text].reduce((sum, letter) => sum + (WIDE.test(letter) ? 1 : 0.58) * size, 0);
}

/** As much of a text as there is room for. */
function fitted(text: string, room: number, size: number): string {
  if (widthOf(text, size) <= room) return text;
  const letters = [...text];
  while (letters.length > 1 && widthOf(letters.join(""), size) > room - size) letters.pop();
  return `${letters.join("").trimEnd()}…`;
}

/** Resolves colours and fonts as they are on the page now, in its theme. */
export function pageResolve(): Resolve {
  const found = new Map<string, string>();
  return (value) => {
    const known = found.get(value);
    if (known !== undefined) return known;
    const probe = document.createElement("i");
    probe.hidden = true;
    const isFont = /^var\(--(serif|sans)\)$/.test(value);
    probe.style.setProperty(isFont ? "font-family" : "color", value);
    document.body.append(probe);
    const computed = getComputedStyle(probe);
    const resolved = isFont ? computed.fontFamily : computed.color;
    probe.remove();
    found.set(value, resolved);
    return resolved;
  };
}
