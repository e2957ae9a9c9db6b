import { QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keys, queries } from "../api/queries";
import type { ChapterEdit, ChapterRow } from "../api/schema";
import type { OutlineNode } from "../api/story";
import { useChapterState } from "../chapters/state";
import { speak } from "../words";
import LanesPage from "./LanesPage";

const server = vi.hoisted(() => ({
  sent: [] as ChapterEdit[],
  undone: [] as number[],
  answer: () => {},
}));
vi.mock("../chapters/wire", () => ({
  editChapters: async (_: string, edit: ChapterEdit) => {
    server.sent.push(edit);
    return { change: server.sent.length, chapters: [], same_numbers: [] };
  },
  undoChange: async (_: string, change: number) => void server.undone.push(change),
}));
vi.mock("../api/queries", async (original) => ({
  ...(await original<typeof import("../api/queries")>()),
  refreshChapters: async () => server.answer(),
}));

const node = (id: string, kind: OutlineNode["kind"], order: number, parent: string | null) => ({
  id,
  kind,
  order,
  parent,
  name: id,
  chapters: kind === "arc" ? 3 : null,
  function: id === "第一章" ? "试探" : "",
  words: kind === "chapter" ? 2000 : null,
});
const outline = (second: string) => [
  node("第一卷", "act", 1, null),
  node("入港", "arc", 2, "第一卷"),
  node("第一章", "chapter", 3, "入港"),
  node("风起", "arc", 5, "第一卷"),
  node("第二章", "chapter", second === "入港" ? 4 : 6, second),
];
const row = (title: string, place: number, documents: string[]): ChapterRow => ({
  place,
  number: place,
  title,
  node: title,
  documents,
  volume: "第一卷",
});
const rows = [row("第一章", 1, ["d-1"]), row("第二章", 2, [])];

function publish(second: string) {
  const story = {
    language: "zh",
    production: null,
    outline_nodes: outline(second),
    documents: [{ id: "d-1", title: "第一章", text: "雨停了。", order: 1, outline_node: "第一章" }],
  };
  const chapters = [{ chapter: 1, document: "d-1", state: "changed", title: "第一章", version: 2 }];
  queries.setQueryData(keys.view("p"), { project: { project: "p", language: "zh" }, story, chapters });
  queries.setQueryData(keys.chapters("p"), { change: null, chapters: rows, same_numbers: [] });
}

let root: Root;
let page: HTMLElement;
const lane = (name: string) => page.querySelector<HTMLElement>(`section[aria-label="第一卷 · ${name}"]`);
const link = (name: string) => page.querySelector<HTMLElement>(`[data-card="${name}"] a`);
const press = (on: HTMLElement | null, key: string, more: KeyboardEventInit = {}) =>
  act(async () => void on?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, ...more })));

beforeEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  Object.assign(globalThis, { CSS: { escape: (text: string) => text } });
  server.sent.length = 0;
  server.undone.length = 0;
  server.answer = () => {};
  speak("zh");
  queries.setDefaultOptions({ queries: { staleTime: Number.POSITIVE_INFINITY } });
  publish("入港");
  page = document.body.appendChild(document.createElement("div"));
  root = createRoot(page);
  await act(async () =>
    root.render(
      <QueryClientProvider client={queries}>
        <LanesPage project="p" rest={undefined} />
      </QueryClientProvider>,
    ),
  );
});
afterEach(async () => {
  await act(async () => root.unmount());
  page.remove();
});

it("shows arcs with their cards, and says which are open", () => {
  expect(page.querySelector("h2")?.textContent).toBe("第一卷");
  expect(lane("入港")?.textContent).toContain("未排完：还差 1 章");
  expect(lane("风起")?.textContent).toContain("未排完：还差 3 章");
  expect(lane("风起")?.textContent).toContain("还没有章");
  const first = page.querySelector('[data-card="第一章"]')?.textContent;
  expect(first).toContain("试探");
  expect(first).toContain("改后未读");
  expect(first).toContain("4 / 2,000");
  expect(page.querySelector('[data-card="第二章"]')?.textContent).toContain("未写");
});

it("moves a chapter into an arc without chapters by keyboard, keeps the focus, and can take it back", async () => {
  server.answer = () => publish("风起");
  link("第二章")?.focus();
  await press(link("第二章"), "ArrowDown", { altKey: true });
  expect(server.sent).toEqual([{ action: "move", chapter: "第二章", after: "第一章", into: "风起" }]);
  await vi.waitFor(() => expect(lane("风起")?.textContent).toContain("第二章"));
  expect(document.activeElement).toBe(link("第二章"));
  expect(useChapterState.getState().notice?.undo?.changes).toEqual([1]);
});

it("goes from card to card by arrow keys, and stops once for the Tab key", async () => {
  expect(page.querySelectorAll('a[tabindex="0"]').length).toBe(1);
  link("第一章")?.focus();
  await press(link("第一章"), "ArrowRight");
  expect(document.activeElement).toBe(link("第二章"));
  expect(link("第二章")?.tabIndex).toBe(0);
  expect(server.sent).toEqual([]);
});

it("moves by the menu of a card, where there is no pointer to drag with", async () => {
  await act(async () => page.querySelector<HTMLElement>('[data-card="第一章"] button')?.click());
  const items = [...document.querySelectorAll<HTMLElement>("[role=menuitem]")];
  expect(items.map(({ textContent }) => textContent)).toEqual(["往后一位", "移到后一幕的开头"]);
  await act(async () => items[0]?.click());
  expect(server.sent).toEqual([{ action: "move", chapter: "第一章", after: "第二章", into: "入港" }]);
});

it("moves by dragging", async () => {
  const drag = (on: Element | null, type: string, at: number) =>
    act(async () => {
      const event = new MouseEvent(type, { bubbles: true, cancelable: true, clientX: at });
      Object.assign(event, { dataTransfer: { setData() {}, effectAllowed: "" } });
      on?.dispatchEvent(event);
    });
  const cards = ["第一章", "第二章"].map((name) => page.querySelector(`[data-card="${name}"]`));
  await drag(cards[1] ?? null, "dragstart", 0);
  await drag(cards[0] ?? null, "dragover", -1);
  expect(cards[0]?.getAttribute("data-side")).toBe("before");
  await drag(cards[0] ?? null, "drop", -1);
  expect(server.sent).toEqual([{ action: "move", chapter: "第二章", after: null, into: "入港" }]);
});
