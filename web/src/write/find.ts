import { create } from "zustand";

type Find = {
  words: string;
  put: string;
  isExact: boolean;
  set(some: Partial<Pick<Find, "words" | "put" | "isExact">>): void;
};

/** What was looked for last: kept from chapter to chapter. */
export const useFind = create<Find>((set) => ({
  words: "",
  put: "",
  isExact: true,
  set: (some) => set(some),
}));
