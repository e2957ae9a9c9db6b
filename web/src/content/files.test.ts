import { expect, test } from "vitest";
import { apart, beginning, bookUrl, contentUrl, nameOf, safeName, textOf } from "./files";

test("only what is wanted stands in the address", () => {
  expect(bookUrl("p-1", { format: "txt", from: "d-2", author: " " })).toBe(
    "/api/v1/projects/p-1/book?format=txt&chapters=d-2-",
  );
  expect(bookUrl("p-1", { format: "txt", from: "d-2", to: "d-2" })).toBe(
    "/api/v1/projects/p-1/book?format=txt&chapters=d-2",
  );
  expect(bookUrl("p-1", { format: "txt" })).toBe("/api/v1/projects/p-1/book?format=txt");
  expect(contentUrl("p-1", { format: "markdown", path: "a/b", file: 0 })).toBe(
    "/api/v1/projects/p-1/content?format=markdown&path=a%2Fb&file=0",
  );
});

test("the name of a file is read from the answer", () => {
  expect(nameOf("attachment; filename*=UTF-8''%E5%B0%BA%E7%B4%A0%2Etxt")).toBe("尺素.txt");
  expect(nameOf("attachment; filename*=UTF-8''%E5%")).toBeUndefined();
  expect(nameOf(null)).toBeUndefined();
  expect(safeName('第一章：a/b*"c"')).toBe("第一章：a b c");
  expect(safeName("///")).toBe("qingyu");
});

test("title and body of a chapter come apart, indents stay", () => {
  expect(apart("第一章 雨\r\n\r\n　　一。\r\n　　二。\r\n")).toEqual({
    title: "第一章 雨",
    body: "　　一。\n　　二。",
  });
  expect(apart("")).toEqual({ title: "", body: "" });
});

test("a long text shows its beginning", () => {
  expect(beginning("a\nb\nc\n", 2)).toEqual({ text: "a\nb", isMore: true });
  expect(beginning("a\nb\n\n", 2)).toEqual({ text: "a\nb", isMore: false });
});

test("bytes are read as UTF-8", () => {
  expect(textOf("5bC657Sg")).toBe("尺素");
});
