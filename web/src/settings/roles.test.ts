import { expect, test } from "vitest";
import { roles } from "./roles";

test("roles are gathered by the model that serves them", () => {
  const providers: { roles: Record<string, string> }[] = [
    { roles: { writer: "a/large" } },
    { roles: { review: "b/small", judge: "b/small" } },
    { roles: {} },
  ];
  expect(roles(providers)).toEqual([
    { model: "b/small", roles: ["judge", "review"] },
    { model: "a/large", roles: ["writer"] },
  ]);
});
