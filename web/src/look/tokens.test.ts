import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const css = readFileSync("src/look/tokens.css", "utf8");

/** The value of a custom property in the rule of a selector. */
function valueIn(selector: string, property: string): string {
  const rule = css.split("}").find((each) => each.split("{")[0]?.trim().endsWith(selector)) ?? "";
  return new RegExp(`${property}: ([^;]+);`).exec(rule)?.[1] ?? "";
}

it("sets English pages in a Latin font, whose apostrophes are narrow, and Chinese ones in a Han font", () => {
  expect(valueIn('[lang|="en"]', "--serif")).toBe("var(--latin-serif)");
  expect(valueIn('[lang|="zh"]', "--serif")).toBe("var(--han-serif)");
  expect(/--latin-serif: ([^;]+);/.exec(css)?.[1]).toMatch(/^Georgia, .*var\(--han-serif\)$/);
  expect(css.indexOf('[lang|="en"]')).toBeGreaterThan(css.indexOf(":root,"));
});
