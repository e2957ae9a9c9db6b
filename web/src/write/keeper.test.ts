import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Problem } from "../api/problem";
import { Keeper, type Text } from "./keeper";

/** A server with one chapter, and an editor that is a string. */
function scene() {
  const server: Text & { refusal: Problem | undefined } = { text: "甲", version: 1, refusal: undefined };
  const editor = { text: "甲", isComposing: false, suggested: undefined as string | undefined };
  const kept: { draft: Text | undefined } = { draft: undefined };
  const keeper = new Keeper(
    { text: "甲", version: 1 },
    {
      // What an agent wrote and is not decided stands on the server; here it is all or nothing.
      read: () => editor.suggested ?? editor.text,
      isComposing: () => editor.isComposing,
      whenStill: (act) => act(),
      put: async (text, expected) => {
        if (server.refusal) throw server.refusal;
        if (expected !== server.version) throw new Problem(409, "chapter_changed", "changed");
        Object.assign(server, { text, version: server.version + 1 });
        return { version: server.version };
      },
      load: async () => ({ text: server.text, version: server.version }),
      keep: (draft) => {
        kept.draft = draft;
        return true;
      },
      forget: () => {
        kept.draft = undefined;
      },
      suggest: (text) => {
        editor.suggested = text;
      },
      adopt: (text) => {
        editor.text = text;
        editor.suggested = undefined;
      },
      onSaved: () => undefined,
    },
  );
  const write = (text: string) => {
    editor.text = text;
    keeper.touched();
  };
  const others = (text: string) => {
    Object.assign(server, { text, version: server.version + 1 });
    return { text: server.text, version: server.version };
  };
  return { server, editor, kept, keeper, write, others };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const soon = () => vi.advanceTimersByTimeAsync(1_000);

describe("a chapter while it is written", () => {
  it("is saved when the author pauses, and the copy forgotten", async () => {
    const { server, keeper, kept, write } = scene();
    write("甲乙");
    expect(keeper.now().is).toBe("unsaved");
    await vi.advanceTimersByTimeAsync(400);
    expect(server.text).toBe("甲");
    expect(kept.draft).toEqual({ text: "甲乙", version: 1 });
    await soon();
    expect(server).toMatchObject({ text: "甲乙", version: 2 });
    expect(keeper.now().is).toBe("saved");
    expect(kept.draft).toBeUndefined();
  });

  it("follows a change that was taken back elsewhere, and no answer that came late", async () => {
    const { server, editor, keeper, write } = scene();
    const early = { text: server.text, version: server.version };
    write("甲乙");
    await soon();
    keeper.seen(early);
    await soon();
    expect(editor.suggested).toBeUndefined();
    // The number of the version that is there again is used again.
    Object.assign(server, early);
    keeper.seen(early);
    await soon();
    expect(editor.suggested).toBe("甲");
    expect(keeper.version).toBe(1);
  });

  it("sees another text under the number of its own", async () => {
    const { server, keeper, editor, write } = scene();
    write("甲乙");
    await soon();
    Object.assign(server, { text: "甲丙" });
    keeper.seen({ text: "甲丙", version: server.version });
    await soon();
    expect(editor.suggested).toBe("甲丙");
  });

  it("is not saved within a word", async () => {
    const { server, editor, write } = scene();
    editor.isComposing = true;
    write("甲ni");
    await soon();
    expect(server.text).toBe("甲");
    editor.isComposing = false;
    await soon();
    expect(server.text).toBe("甲ni");
  });

  it("is kept here without a connection, and sent when it is back", async () => {
    const { server, keeper, kept, write } = scene();
    server.refusal = new Problem(0, "no_connection", "");
    write("甲乙");
    await soon();
    expect(keeper.now().is).toBe("offline");
    expect(kept.draft?.text).toBe("甲乙");
    server.refusal = undefined;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(server.text).toBe("甲乙");
    expect(keeper.now().is).toBe("saved");
  });

  it("tells when the server has it, also after it was away or a conflict", async () => {
    const { server, keeper, write, others } = scene();
    const told: boolean[] = [];
    const ask = () => void keeper.saved().then((isMine) => told.push(isMine));
    ask();
    await soon();
    expect(told).toEqual([true]);
    server.refusal = new Problem(503, "overloaded", "");
    write("甲乙");
    ask();
    await soon();
    expect(told).toEqual([true]);
    server.refusal = undefined;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(told).toEqual([true, true]);
    for (const choice of ["mine", "theirs"] as const) {
      others(`他们的，${choice}`);
      write(`甲乙，${choice}`);
      ask();
      await soon();
      expect(keeper.now().is).toBe("conflict");
      keeper.resolve(choice);
      await soon();
    }
    expect(told).toEqual([true, true, true, false]);
  });

  it("says when the server refuses it, and tries again at the next word", async () => {
    const { server, keeper, write } = scene();
    server.refusal = new Problem(400, "too_large", "");
    write("甲乙");
    await soon();
    expect(keeper.now().is).toBe("failed");
    server.refusal = undefined;
    write("甲丙");
    await soon();
    expect(server.text).toBe("甲丙");
  });
});

describe("a copy that was never confirmed", () => {
  it("is saved when nobody wrote since", async () => {
    const { server, editor, keeper } = scene();
    keeper.recover({ text: "找回的", version: 1 });
    expect(editor.text).toBe("找回的");
    await soon();
    expect(server.text).toBe("找回的");
  });

  it("is not saved unasked when others wrote since", async () => {
    const { server, keeper } = scene();
    keeper.recover({ text: "找回的", version: 0 });
    expect(keeper.now().is).toBe("conflict");
    await soon();
    expect(server.text).toBe("甲");
    keeper.resolve("mine");
    await soon();
    expect(server.text).toBe("找回的");
  });
});

describe("a chapter that others write too", () => {
  it("asks when both wrote, and overwrites nothing", async () => {
    const { server, keeper, kept, write, others } = scene();
    others("他们的");
    write("我的");
    await soon();
    expect(keeper.now()).toEqual({ is: "conflict", theirs: { text: "他们的", version: 2 } });
    expect(server.text).toBe("他们的");
    write("我的二");
    await soon();
    expect(server.text).toBe("他们的");
    expect(kept.draft?.text).toBe("我的二");
  });

  it("asks at once when it hears of it before saving", () => {
    const { keeper, write, others } = scene();
    write("我的");
    keeper.seen(others("他们的"));
    expect(keeper.now().is).toBe("conflict");
  });

  it("is content if both wrote the same", async () => {
    const { keeper, write, others } = scene();
    others("一样");
    write("一样");
    await soon();
    expect(keeper.now().is).toBe("saved");
    expect(keeper.version).toBe(2);
  });

  it("keeps mine", async () => {
    const { server, keeper, write, others } = scene();
    others("他们的");
    write("我的");
    await soon();
    keeper.resolve("mine");
    await soon();
    expect(server).toMatchObject({ text: "我的", version: 3 });
    expect(keeper.now().is).toBe("saved");
  });

  it("takes theirs", async () => {
    const { server, editor, keeper, kept, write, others } = scene();
    others("他们的");
    write("我的");
    await soon();
    keeper.resolve("theirs");
    expect(editor.text).toBe("他们的");
    await soon();
    expect(server.version).toBe(2);
    expect(kept.draft).toBeUndefined();
  });

  it("suggests what agents wrote, and saves only a refusal", async () => {
    const { server, editor, keeper, others } = scene();
    keeper.seen(others("甲乙"));
    expect(editor.suggested).toBe("甲乙");
    await soon();
    expect(server).toMatchObject({ text: "甲乙", version: 2 });
    editor.suggested = undefined;
    keeper.touched();
    await soon();
    expect(server).toMatchObject({ text: "甲", version: 3 });
  });

  it("follows another page where nothing is unsaved", () => {
    const { editor, keeper, others } = scene();
    keeper.follow(others("那一页"));
    expect(editor.text).toBe("那一页");
    expect(keeper.isDirty()).toBe(false);
  });

  it("does not take its own text for another's", async () => {
    const { server, keeper, editor, write } = scene();
    write("甲乙");
    await soon();
    keeper.seen({ text: server.text, version: server.version });
    expect(editor.suggested).toBeUndefined();
    keeper.seen({ text: "甲", version: 1 });
    expect(editor.text).toBe("甲乙");
  });
});
