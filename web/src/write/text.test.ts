import { Schema } from "@tiptap/pm/model";
import { describe, expect, it } from "vitest";
import { documentOf, offsetAt, positionAt, sliceOf, textOf } from "./text";

const schema = new Schema({
  nodes: { doc: { content: "paragraph+" }, paragraph: { content: "text*" }, text: {} },
});
const node = (text: string) => schema.nodeFromJSON(documentOf(text));

const texts = [
  "",
  "福兴轮不进镇。",
  "一\n二\n\n三\n",
  "\n\n",
  "# 第一章\n\n　　缩进的一段\n***\n“𠮷，”她说。\n\ttab  and  spaces ",
];

describe("a chapter's text as a document", () => {
  it.each(texts)("comes back as it was: %j", (text) => {
    expect(textOf(node(text))).toBe(text);
  });

  it.each(texts)("knows where each place is: %j", (text) => {
    const document = node(text);
    for (let offset = 0; offset <= text.length; offset++) {
      const position = positionAt(text, offset);
      expect(offsetAt(document, position)).toBe(offset);
      expect(document.textBetween(0, position, "\n").length).toBe(offset);
    }
  });

  it("puts lines into the middle of a line", () => {
    const document = node("甲乙\n丙");
    const made = document.replace(
      positionAt("甲乙\n丙", 1),
      positionAt("甲乙\n丙", 1),
      sliceOf(schema, "一\n二"),
    );
    expect(textOf(made)).toBe("甲一\n二乙\n丙");
  });
});
