import { describe, expect, it } from "vitest";
import { Access, type PageState, stateOf } from "./access";

/** A page whose server can be restarted. */
function scene(token: string, key: string | null = null) {
  const held = { key, page: { is: "open", token } as PageState, reads: 0 };
  const access = new Access({
    token,
    key: () => held.key,
    dropKey: () => {
      held.key = null;
    },
    read: async () => {
      held.reads++;
      return held.page;
    },
  });
  return { access, held };
}

describe("access", () => {
  it("takes the token of a restarted server, for all requests that were refused at once", async () => {
    const { access, held } = scene("old");
    const sent = access.now;
    held.page = { is: "open", token: "new" };
    expect(await Promise.all([access.renew(sent), access.renew(sent)])).toEqual(["retry", "retry"]);
    expect(await access.renew(sent)).toBe("retry");
    expect(access.now.token).toBe("new");
    expect(held.reads).toBe(1);
    expect(access.isKeyNeeded).toBe(false);
  });

  it("asks for a key only where the server requires one", async () => {
    const { access, held } = scene("old");
    held.page = { is: "locked" };
    expect(await access.renew(access.now)).toBe("ask");
    expect(access.isKeyNeeded).toBe(true);
    held.page = { is: "open", token: "new" };
    await access.refresh();
    expect(access.isKeyNeeded).toBe(false);
  });

  it("waits while the server does not answer", async () => {
    const { access, held } = scene("old");
    held.page = { is: "unreachable" };
    expect(await access.renew(access.now)).toBe("wait");
    expect(access.now.token).toBe("old");
  });

  it("drops a key that a server without keys refuses, once", async () => {
    const { access } = scene("token", "stale");
    expect(await access.renew(access.now)).toBe("retry");
    expect(access.now).toEqual({ token: "token", key: null });
    expect(await access.renew(access.now)).toBe("refused");
    expect(access.isKeyNeeded).toBe(false);
  });
});

describe("the page", () => {
  it("says whether keys are required", () => {
    const page = (content: string) =>
      `<html><head><meta name="qingyu-page" content="${content}"></head></html>`;
    expect(stateOf(true, page("a1"))).toEqual({ is: "open", token: "a1" });
    expect(stateOf(true, page(""))).toEqual({ is: "locked" });
    expect(stateOf(false, page("a1"))).toEqual({ is: "unreachable" });
    expect(stateOf(true, "<p>Bad gateway</p>")).toEqual({ is: "unreachable" });
  });
});
