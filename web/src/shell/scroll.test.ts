import { describe, expect, it } from "vitest";
import { elementAt, noted, pathOf } from "./scroll";

describe("scroll positions", () => {
  it("are found again by the place of their element", () => {
    const frame = document.createElement("main");
    frame.innerHTML = "<div></div><div><p></p><section></section></div>";
    const section = frame.querySelector("section") as Element;
    expect(pathOf(frame, section)).toBe("1/1");
    expect(elementAt(frame, "1/1")).toBe(section);
    expect(elementAt(frame, "1/7/2")).toBeUndefined();
    expect(pathOf(frame, document.createElement("p"))).toBeUndefined();
  });

  it("are kept for the pages seen last", () => {
    let all = {};
    for (let page = 0; page < 100; page++) all = noted(all, `/p/${page}`, "0", page);
    expect(Object.keys(all).length).toBe(60);
    expect(all).toMatchObject({ "/p/99": { "0": 99 } });
    expect(noted(all, "/p/99", "1", 5.4)).toMatchObject({ "/p/99": { "0": 99, "1": 5 } });
  });
});
