/** How people name chapters, in the languages of the pages. */

const WHOLE =
  /全书|整本书?|通篇|所有章|每一?章|各章|全部章节|\b(?:whole|entire) (?:book|novel|story)\b|\b(?:all|every) (?:the )?chapters?\b|throughout the book/i;
const NUMBERED = /第\s*([0-9０-９〇零一二两三四五六七八九十百千]+)\s*[章回节]|\bchapter\s+(\d+)\b/i;
const DIGITS = "零一二三四五六七八九";
const UNITS: Record<string, number> = { 十: 10, 百: 100, 千: 1000 };

/** Whether an order says that it is for the whole book. */
export function isWholeBook(text: string): boolean {
  return WHOLE.test(text);
}

/** Returns the first chapter number in a text. */
export function numberIn(text: string): number | undefined {
  const found = NUMBERED.exec(text);
  return found ? numberOf(found[1] ?? found[2] ?? "") : undefined;
}

/** Reads a number in digits or in Chinese, up to 9,999. */
export function numberOf(words: string): number | undefined {
  const plain = words.normalize("NFKC").replace(/〇/g, "零").replace(/两/g, "二");
  if (/^\d+$/.test(plain)) return Number(plain);
  if (![...plain].some((sign) => sign in UNITS)) {
    const digits = [...plain].map((sign) => DIGITS.indexOf(sign));
    return digits.length > 0 && !digits.includes(-1) ? Number(digits.join("")) : undefined;
  }
  let sum = 0;
  let digit: number | undefined;
  for (const sign of plain) {
    const unit = UNITS[sign];
    if (unit === undefined) digit = DIGITS.indexOf(sign);
    else {
      sum += (digit ?? 1) * unit;
      digit = undefined;
    }
  }
  return sum + (digit ?? 0);
}
