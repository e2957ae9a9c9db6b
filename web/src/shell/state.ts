import { create } from "zustand";

type Shell = {
  /** Whether only the text is shown. */
  isFocused: boolean;
  isPaletteOpen: boolean;
  focus(on: boolean): void;
  openPalette(on: boolean): void;
};

/** What of the frame around the pages is open. */
export const useShell = create<Shell>((set) => ({
  isFocused: false,
  isPaletteOpen: false,
  focus: (isFocused) => set({ isFocused }),
  openPalette: (isPaletteOpen) => set({ isPaletteOpen }),
}));
