/** An SVG with its size in CSS pixels. */
export type Drawing = { svg: string; width: number; height: number };

/** Pixels of the picture for each CSS pixel. */
const SCALE = 2;
/** The longest side, in pixels, of a canvas that every browser draws. */
const LONGEST = 8_192;

/** Draws an SVG as PNG with the fonts of the browser; a drawing that is too large for a canvas is drawn less fine. */
export async function pngOf({ svg, width, height }: Drawing): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const scale = Math.min(SCALE, LONGEST / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("the browser gives no canvas");
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    const keep = (blob: Blob | null) =>
      blob ? resolve(blob) : reject(new Error("the browser could not encode the picture"));
    canvas.toBlob(keep, "image/png");
  });
}

/** Returns a text for use in XML: markup as entities, characters that XML forbids as blanks. */
export function escaped(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids them
      .replace(/[\u0000-\u001f\ufffe\uffff]/g, " ")
      .replace(/&/g, "&amp;")
      .replace(/</g, "&lt;")
      .replace(/>/g, "&gt;")
      .replace(/"/g, "&quot;")
  );
}
