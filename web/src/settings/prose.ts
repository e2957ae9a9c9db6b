/** The letters in which prose is set. */
export const faces = ["serif", "sans", "kai"] as const;
export type Face = (typeof faces)[number];

/** How prose is set: the size of its letters in pixels, the measure of a line in letters, and their kind. */
export type ProseLook = { size: number; measure: number; face: Face };

export const usualLook: ProseLook = { size: 18, measure: 40, face: "serif" };
export const sizes = { least: 14, most: 26 } as const;
export const measures = { least: 24, most: 60 } as const;

const KEPT = "qingyu.prose";

const families: Record<Face, string> = {
  serif: "var(--han-serif)",
  sans: "var(--sans)",
  kai: '"Kaiti SC", "STKaiti", "KaiTi", "AR PL UKai CN", var(--han-serif)',
};

/** The same for English: letters of a Latin font first. */
const latinFamilies: Record<Face, string> = {
  serif: "var(--latin-serif)",
  sans: "var(--sans)",
  kai: "var(--latin-serif)",
};

/** A look that was kept, with whatever of it cannot be used put right. */
export function readLook(kept: string | null): ProseLook {
  let found: Partial<Record<keyof ProseLook, unknown>> = {};
  try {
    const value: unknown = JSON.parse(kept ?? "null");
    if (typeof value === "object" && value !== null) found = value;
  } catch {
    // What cannot be read was not written here.
  }
  return {
    size: within(found.size, sizes, usualLook.size),
    measure: within(found.measure, measures, usualLook.measure),
    face: faces.find((face) => face === found.face) ?? usualLook.face,
  };
}

function within(value: unknown, { least, most }: { least: number; most: number }, usual: number): number {
  return typeof value === "number" && Number.isFinite(value)
    ? Math.min(most, Math.max(least, Math.round(value)))
    : usual;
}

/** How prose is set in this browser. */
export function proseLook(): ProseLook {
  return readLook(localStorage.getItem(KEPT));
}

/** Sets prose so from now on. */
export function setProse(look: ProseLook): void {
  localStorage.setItem(KEPT, JSON.stringify(look));
  apply(look);
}

function apply({ size, measure, face }: ProseLook): void {
  const { style } = document.documentElement;
  style.setProperty("--prose-size", `${size}px`);
  style.setProperty("--prose-measure", `${measure}em`);
  style.setProperty("--prose-face", families[face]);
  style.setProperty("--prose-latin", latinFamilies[face]);
}

apply(proseLook());
