import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { StoryFixes } from "../api/schema";
import { speak } from "../words";
import { FixSummary } from "./FixSummary";

const fixes = (own: Partial<StoryFixes>) => ({ mended: ["f-1"], left: {}, ...own }) as StoryFixes;
const shown = (own: Partial<StoryFixes>) => renderToStaticMarkup(<FixSummary fixes={fixes(own)} />);

it.each([
  ["en", "Changed:"],
  ["zh", "改动的内容："],
] as const)("lists the changed fields in %s", (language, title) => {
  speak(language);
  const lines = ["林深 · age: 30 → 31", "Mara · home: – → Hallin"];
  const page = shown({ changed: lines });
  expect(page).toContain(title);
  for (const line of lines) expect(page).toContain(`<li>${line}</li>`);
  expect(shown({ removed: ["a scar"] })).not.toContain(title);
});

it("lists no change if nothing was fixed", () => {
  speak("en");
  expect(shown({ mended: [], changed: ["Mara · age: 30 → 31"] })).not.toContain("Mara");
});
