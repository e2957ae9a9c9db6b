import { describe, expect, it } from "vitest";
import { Problem } from "../api/problem";
import { en } from "../words/en";
import { zh } from "../words/zh";
import { fixOf, wordingOf } from "./problems";

const isWorded = (key: string) => key.slice("problem.".length) in zh.problem;

describe("a problem", () => {
  it("is worded by its code, else by its kind", () => {
    expect(wordingOf(new Problem(402, "budget", "spent"), isWorded)).toBe("problem.budget");
    expect(wordingOf(new Problem(404, "unknown_project", "no p-1"), isWorded)).toBe("problem.unknown");
    expect(wordingOf(new Problem(422, "bad_dragon", "[..]"), isWorded)).toBe("problem.bad_request");
    expect(wordingOf(new Problem(500, "http_500", ""), isWorded)).toBe("problem.internal");
    expect(wordingOf(new TypeError("x is undefined"), isWorded)).toBe("problem.internal");
  });

  it("asks for no other key where no key is enough", () => {
    const problem = (needed: string) => new Problem(403, "forbidden", "", { needed });
    expect(wordingOf(problem("this_machine"), isWorded)).toBe("problem.this_machine");
    expect(fixOf(problem("this_machine"))).toBeUndefined();
    expect(wordingOf(problem("admin"), isWorded)).toBe("problem.forbidden");
    expect(fixOf(problem("admin"))).toBe("access");
  });

  it("leads to the setting that helps", () => {
    expect(fixOf(new Problem(422, "no_key", ""))).toBe("models");
    expect(fixOf(new Problem(402, "budget", ""))).toBe("budget");
    expect(fixOf(new Problem(0, "no_connection", ""))).toBeUndefined();
  });

  it("shows no message of the server in its sentence", () => {
    for (const { problem } of [zh, en]) {
      const { request: _, ...others } = problem;
      expect(JSON.stringify(others)).not.toContain("{{");
    }
  });
});
