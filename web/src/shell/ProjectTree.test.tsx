import { QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keys, queries } from "../api/queries";
import type { ChapterEdit } from "../api/schema";
import { speak } from "../words";
import { ProjectTree } from "./ProjectTree";

const sent = vi.hoisted(() => [] as ChapterEdit[]);
vi.mock("../chapters/wire", () => ({
  editChapters: async (_: string, edit: ChapterEdit) => {
    sent.push(edit);
    return { change: 1, chapters: [], same_numbers: [] };
  },
}));

vi.mock("../api/queries", async (original) => ({
  ...(await original<typeof import("../api/queries")>()),
  refreshChapters: async () => {},
}));

const chapters = [
  { place: 1, number: 1, title: "第一章 归人", node: "o-1", documents: ["d-1"], volume: "上 卷" },
  { place: 2, number: 2, title: "雨", node: "o-2", documents: [], volume: "上 卷" },
];
const story = {
  language: "zh",
  production: null,
  outline_nodes: [],
  documents: [{ id: "d-1", title: "第一章 归人", text: "雨停了。", order: 1 }],
};

let root: Root;
let page: HTMLElement;
const find = (selector: string) => document.querySelector<HTMLElement>(selector);
const item = (title: string) =>
  [...document.querySelectorAll<HTMLElement>("[role=treeitem]")].find((row) =>
    row.textContent?.includes(title),
  );
const press = (on: HTMLElement | null | undefined, key: string, more: KeyboardEventInit = {}) =>
  act(async () => void on?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, ...more })));
const click = (on: HTMLElement | null | undefined) => act(async () => on?.click());
const menu = () => [...document.querySelectorAll("[role=menuitem]")].map(({ textContent }) => textContent);

beforeEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true, matchMedia: () => ({ matches: false }) });
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
  };
  // Without a layout nothing would be in sight.
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(300);
  sent.length = 0;
  speak("zh");
  queries.setDefaultOptions({ queries: { staleTime: Number.POSITIVE_INFINITY } });
  queries.setQueryData(keys.view("p"), { project: { project: "p" }, story });
  queries.setQueryData(keys.chapters("p"), { change: null, chapters, same_numbers: [] });
  history.replaceState(null, "", "/p/p/write/d-1");
  page = document.body.appendChild(document.createElement("div"));
  root = createRoot(page);
  await act(async () =>
    root.render(
      <QueryClientProvider client={queries}>
        <ProjectTree project="p" />
      </QueryClientProvider>,
    ),
  );
});
afterEach(async () => {
  await act(async () => root.unmount());
  page.remove();
  vi.restoreAllMocks();
});

it("lists volumes and chapters as links, with number, length and state", () => {
  expect(item("上 卷")?.getAttribute("aria-expanded")).toBe("true");
  const open = item("归人")?.querySelector("a");
  expect(open?.getAttribute("href")).toBe("/p/p/write/d-1");
  expect(open?.getAttribute("aria-current")).toBe("page");
  expect(open?.textContent).toBe("第一章 归人4 字");
  expect(item("雨未写")?.textContent).toContain("2雨未写");
  expect(item("雨未写")?.querySelector("a")?.getAttribute("aria-current")).toBeNull();
});

it("opens a menu by button and by keyboard, and gives the focus back", async () => {
  await click(item("归人")?.querySelector("button"));
  expect(menu()).toEqual([
    "重命名",
    "下移",
    "移到第几章…",
    "在前面插入一章",
    "在后面插入一章",
    "与下一章合并",
    "删除…",
  ]);
  expect(document.activeElement?.textContent).toBe("重命名");
  await press(document.activeElement as HTMLElement, "ArrowUp");
  expect(document.activeElement?.textContent).toBe("删除…");
  await press(document.activeElement as HTMLElement, "Escape");
  expect(menu()).toEqual([]);
  expect(document.activeElement).toBe(find("[role=tree]"));
  await press(find("[role=tree]"), "F10", { shiftKey: true });
  expect(menu()).toHaveLength(7);
});

it("renames in place: Enter saves, Escape does not", async () => {
  await press(find("[role=tree]"), "F2");
  const field = find("input") as HTMLInputElement;
  expect(document.activeElement).toBe(field);
  const type = (value: string) =>
    act(async () => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, value);
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
  await type("第一章 来信");
  await press(field, "Enter");
  expect(sent).toEqual([{ action: "rename", chapter: "o-1", title: "第一章 来信" }]);
  await press(find("[role=tree]"), "F2");
  await press(find("input"), "Escape");
  expect(find("input")).toBeNull();
  expect(sent).toHaveLength(1);
});

it("asks once before it deletes", async () => {
  await press(find("[role=tree]"), "Delete");
  expect(find("[role=alertdialog]")?.textContent).toContain("可以撤销");
  expect(sent).toEqual([]);
  await click(find("[role=alertdialog] button"));
  expect(sent).toEqual([{ action: "delete", chapter: "o-1" }]);
  expect(find("[role=alertdialog]")).toBeNull();
});

it("moves by keyboard", async () => {
  await press(find("[role=tree]"), "ArrowDown", { altKey: true });
  expect(sent).toEqual([{ action: "move", chapter: "o-1", after: "o-2" }]);
});
