import { expect, it } from "vitest";
import type { Finding } from "../api/schema";
import { findingsOf, quotedIn } from "./quotes";

const finding = (id: string, anchor: string, quote: string): Finding =>
  ({
    issue: { id, severity: "medium", evidence: [{ anchor, quote }] },
    instructions: [],
  }) as unknown as Finding;
const text = "这是六月三十日。覃稻生三十二岁了，头一回怕见一个人。\n他说。\n他说。";

it("finds words that a fact quotes, without where they were said", () => {
  for (const where of ["（第七章 十八把锹）", " (第七章 十八把锹)"]) {
    const said = finding("a", "facts/f-95/source", `覃稻生三十二岁了，头一回怕见一个人。${where}`);
    expect(quotedIn(text, "d-7", [said])).toEqual([{ finding: "a", severity: "medium", from: 8, to: 26 }]);
  }
});

it("takes the place that the anchor names", () => {
  const second = text.lastIndexOf("他说");
  const byte = new TextEncoder().encode(text.slice(0, second)).length;
  const said = finding("a", `documents/d-7/text@${byte}-${byte + 6}`, "他说");
  expect(quotedIn(text, "d-7", [said])).toMatchObject([{ from: second, to: second + 2 }]);
});

it("leaves other chapters' findings and short words alone", () => {
  const others = [
    finding("a", "facts/f-1/source", "没有的话在这里"),
    finding("b", "facts/f-2/source", "他说"),
  ];
  expect(findingsOf(text, "d-7", others)).toEqual([]);
});

it("finds words through their bold and italic", () => {
  const marked = "他走了。她*没有*来，𠮷田也**没有来**。";
  const said = finding("a", "facts/f-1/source", "她没有来，𠮷田也没有来。");
  const found = quotedIn(marked, "d-7", [said])[0];
  expect(marked.slice(found?.from, found?.to)).toBe("她*没有*来，𠮷田也**没有来**。");
});
