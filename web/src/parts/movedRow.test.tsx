import { act, useState } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it } from "vitest";
import { useMovedRow } from "./movedRow";

let root: Root;
let page: HTMLElement;

/** Rows that are moved by their buttons, each with a list inside that has such buttons as well. */
function Shown() {
  const [rows, setRows] = useState(["甲", "乙", "丙"]);
  const { list, follow } = useMovedRow();
  const move = (place: number, by: 1 | -1) => {
    const next = [...rows];
    const [row = ""] = next.splice(place, 1);
    next.splice(place + by, 0, row);
    setRows(next);
    follow(place + by, by);
  };
  return (
    <ol ref={list}>
      {rows.map((row, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: as in the forms
        <li key={place}>
          <button type="button" data-move="1">
            inside
          </button>
          <button type="button" data-move="-1" disabled={place === 0} onClick={() => move(place, -1)}>
            {`${row} up`}
          </button>
          <button type="button" data-move="1" disabled={place === 2} onClick={() => move(place, 1)}>
            {`${row} down`}
          </button>
        </li>
      ))}
    </ol>
  );
}

const press = (name: string) =>
  act(() => [...page.querySelectorAll("button")].find(({ textContent }) => textContent === name)?.click());

beforeEach(async () => {
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
  page = document.body.appendChild(document.createElement("main"));
  root = createRoot(page);
  await act(async () => root.render(<Shown />));
});
afterEach(async () => {
  await act(async () => root.unmount());
  page.remove();
});

it("follows a moved row with the focus, to the opposite button at an end", () => {
  press("甲 down");
  expect(document.activeElement?.textContent).toBe("甲 down");
  press("甲 down");
  expect(document.activeElement?.textContent).toBe("甲 up");
  press("甲 up");
  expect(document.activeElement?.textContent).toBe("甲 up");
});
