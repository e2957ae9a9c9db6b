import { create } from "zustand";

/** The columns beside the page. */
export type Side = "left" | "right";
export type Column = "left" | "middle" | "right";

type Shell = {
  /** Whether only the text is shown. */
  isFocused: boolean;
  /** Whether the line that is written stays at one height, as on a typewriter. This browser keeps it. */
  isTypewriter: boolean;
  /** The columns that are folded away on a wide screen. This browser keeps them. */
  folded: Readonly<Record<Side, boolean>>;
  isPaletteOpen: boolean;
  /** The column that a narrow screen shows. */
  seen: Column;
  focus(on: boolean): void;
  holdLine(on: boolean): void;
  fold(side: Side, on: boolean): void;
  openPalette(on: boolean): void;
  see(seen: Column): void;
};

const TYPEWRITER = "qingyu.typewriter";
const FOLDED: Record<Side, string> = { left: "qingyu.folded.left", right: "qingyu.folded.right" };

const isFolded = (side: Side) => localStorage.getItem(FOLDED[side]) === "on";

/** What of the frame around the pages is open. */
export const useShell = create<Shell>((set) => ({
  isFocused: false,
  isTypewriter: localStorage.getItem(TYPEWRITER) === "on",
  folded: { left: isFolded("left"), right: isFolded("right") },
  isPaletteOpen: false,
  seen: "middle",
  focus: (isFocused) => set({ isFocused }),
  holdLine: (isTypewriter) => {
    localStorage.setItem(TYPEWRITER, isTypewriter ? "on" : "off");
    set({ isTypewriter });
  },
  fold: (side, on) => {
    localStorage.setItem(FOLDED[side], on ? "on" : "off");
    set(({ folded }) => ({ folded: { ...folded, [side]: on } }));
  },
  openPalette: (isPaletteOpen) => set({ isPaletteOpen }),
  see: (seen) => set({ seen }),
}));
