import { QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { queries } from "../api/queries";
import type { EarlierRequest, EarlierRow } from "../api/schema";
import { Series } from "./Series";

vi.mock("react-i18next", () => ({
  useTranslation: () => ({
    t: (key: string, given?: { title?: string }) => (given?.title ? `${key} ${given.title}` : key),
    i18n: { exists: () => true },
  }),
}));

const row = ({ project }: EarlierRequest): EarlierRow => ({
  project,
  title: project,
  kind: "volume",
  gap: "",
  missing: false,
  shared: [],
});

/** A server that answers a change with the new rows, and then no further question for them. */
const server = vi.hoisted(() => ({
  rows: [] as EarlierRow[],
  sent: [] as string[][],
  get: (_path: string): Promise<unknown> => Promise.resolve([]),
  put: (_books: EarlierRequest[]): Promise<unknown> => Promise.resolve([]),
}));
vi.mock("../api/client", () => ({
  answer: (response: Promise<unknown>) => response,
  http: {
    GET: (path: string) => server.get(path),
    PUT: (_: string, { body }: { body: { books: EarlierRequest[] } }) => server.put(body.books),
  },
}));

let page: HTMLElement;
let root: Root;

beforeEach(async () => {
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
  server.rows = ["a", "b", "c"].map((project) => row({ project }));
  server.sent = [];
  server.get = async (path) => {
    if (!path.endsWith("/series")) return [];
    return server.sent.length > 0 ? new Promise(() => undefined) : server.rows;
  };
  server.put = async (books) => {
    server.sent.push(books.map(({ project }) => project));
    server.rows = books.map(row);
    return server.rows;
  };
  queries.clear();
  page = document.body.appendChild(document.createElement("main"));
  root = createRoot(page);
  await act(async () => {
    root.render(
      <QueryClientProvider client={queries}>
        <Series project="p-0" />
      </QueryClientProvider>,
    );
    await settled();
  });
});
afterEach(async () => {
  await act(async () => root.unmount());
  page.remove();
});

function button(name: string): HTMLButtonElement {
  const found = page.querySelector<HTMLButtonElement>(`[aria-label="${name}"]`);
  if (!found || found.disabled) throw new Error(`no ${name}`);
  return found;
}

/** Queries tell of their news after a timeout. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 10));

async function press(name: string) {
  const pressed = await vi.waitFor(() => button(name));
  const before = server.sent.length;
  await act(async () => {
    pressed.click();
    await vi.waitFor(() => expect(server.sent.length).toBe(before + 1));
    await settled();
  });
}

const focused = () => document.activeElement?.getAttribute("aria-label");

it("changes the rows that the server sent last, and puts no removed book back", async () => {
  await press("settings.series.remove_title a");
  await vi.waitFor(() => expect(focused()).toBe("settings.series.remove_title b"));
  await press("settings.series.remove_title b");
  expect(server.sent).toEqual([["b", "c"], ["c"]]);
});

it("keeps the focus with a row that moves", async () => {
  await press("settings.series.down a");
  await vi.waitFor(() => expect(focused()).toBe("settings.series.down a"));
  await press("settings.series.down a");
  await vi.waitFor(() => expect(focused()).toBe("settings.series.up a"));
  expect(server.sent.at(-1)).toEqual(["b", "c", "a"]);
});
