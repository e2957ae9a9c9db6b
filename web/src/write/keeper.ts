import { Problem } from "../api/problem";

/** How the author's text stands with the server. */
export type Standing =
  | { is: "saved" }
  | { is: "unsaved" }
  | { is: "saving" }
  /** The server cannot be reached; the text is kept in this browser and sent later. */
  | { is: "offline" }
  | { is: "failed"; error: unknown }
  | { is: "conflict"; theirs: Text };

export type Text = { text: string; version: number };

/** What the keeper works with. */
export type Means<Saved extends { version: number }> = {
  /** The text as it is to stand on the server. */
  read(): string;
  isComposing(): boolean;
  /** Acts once no word is being composed. */
  whenStill(act: () => void): void;
  put(text: string, expected: number): Promise<Saved>;
  load(): Promise<Text>;
  /** Keeps a copy in this browser until the server has it; not if there is no room. */
  keep(draft: Text): boolean;
  forget(): void;
  /** Shows a newer text of the server as suggestions. */
  suggest(text: string): void;
  /** Puts a text into the editor. */
  adopt(text: string): void;
  onSaved(saved: Saved, text: string): void;
};

const PAUSE = 800;
/** When a word is being composed at the time of saving, it is tried again so soon. */
const SOON = 200;
const KEEP = 250;
const RETRIES = [2_000, 4_000, 8_000, 15_000];

/**
 * Saves a chapter while it is written, and never lets one text overwrite another unseen: it sends the version that the
 * author saw, and what others write meanwhile is suggested, or the author is asked.
 */
export class Keeper<Saved extends { version: number } = { version: number }> {
  /** Whether this browser had room for the copy. */
  isKept = true;
  private standing: Standing = { is: "saved" };
  private base: Text;
  private newest: Text | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private keeping: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private isStopped = false;
  private running: Promise<void> | undefined;
  private isConfirming = false;
  private readonly listeners = new Set<() => void>();

  constructor(
    loaded: Text,
    private readonly means: Means<Saved>,
  ) {
    this.base = loaded;
  }

  /** For `useSyncExternalStore`. */
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  now = (): Standing => this.standing;

  get version(): number {
    return this.base.version;
  }

  /** The text that the server has, as far as is known. */
  get held(): string {
    return this.base.text;
  }

  /** The author changed something. */
  touched(): void {
    if (this.isStopped) return;
    if (this.keeping === undefined) this.keeping = setTimeout(() => this.keepCopy(), KEEP);
    const { is } = this.standing;
    if (is === "conflict" || is === "saving") return;
    if (is !== "offline") this.set({ is: "unsaved" });
    this.arm(this.failures > 0 ? this.retryPause() : PAUSE);
  }

  /** Saves what there is to save; resolves when that is done or has failed. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    await this.running;
    if (this.standing.is === "conflict" || this.means.isComposing()) return;
    await this.save();
  }

  /**
   * Saves, and waits until the server has the text, however long that takes: true then; false if the author meanwhile chose
   * the server's text instead.
   */
  async saved(): Promise<boolean> {
    await this.flush();
    return new Promise((resolve) => {
      let theirs: string | undefined;
      const look = () => {
        if (this.standing.is === "conflict") theirs = this.standing.theirs.text;
        if (this.standing.is !== "saved") return;
        stop();
        resolve(theirs === undefined || theirs !== this.base.text);
      };
      const stop = this.subscribe(look);
      look();
    });
  }

  /** The server has, or had just now, this text. */
  seen(newest: Text): void {
    if (this.isStopped) return;
    if (newest.version <= this.base.version) {
      if (newest.version < this.base.version || newest.text !== this.base.text) void this.confirm();
      return;
    }
    if (this.running || this.standing.is === "conflict") {
      this.newest = newest;
      return;
    }
    this.means.whenStill(() => this.take(newest));
  }

  /** An earlier version is old news, or a change that was taken back elsewhere: then the server holds it again. */
  private async confirm(): Promise<void> {
    if (this.isConfirming || this.running || this.standing.is === "conflict") return;
    this.isConfirming = true;
    const { base } = this;
    try {
      const held = await this.means.load();
      if (this.isStopped || this.base !== base || this.running || held.version > base.version) return;
      if (held.version === base.version && held.text === base.text) return;
      this.means.whenStill(() => {
        if (this.base === base) this.take(held, true);
      });
    } catch {
      // It is asked for again.
    } finally {
      this.isConfirming = false;
    }
  }

  /** Another page of this browser saved this text: nothing to decide if nothing is unsaved here. */
  follow(saved: Text): void {
    if (this.isStopped || saved.version <= this.base.version) return;
    this.means.whenStill(() => {
      if (this.isDirty() || this.running) this.seen(saved);
      else {
        this.base = saved;
        this.means.adopt(saved.text);
      }
    });
  }

  /** The author restored or chose this text, which the server holds in that version. */
  replace(held: Text): void {
    this.means.whenStill(() => {
      this.base = held;
      this.means.adopt(held.text);
      this.settled();
    });
  }

  /** A copy that was never confirmed is the author's text again; if others wrote since, the author is asked. */
  recover(draft: Text): void {
    this.means.whenStill(() => {
      this.means.adopt(draft.text);
      if (draft.version === this.base.version) this.touched();
      else this.set({ is: "conflict", theirs: this.base });
    });
  }

  /** Ends a conflict: the author's text wins, or the server's, or each difference is decided by itself. */
  resolve(choice: "mine" | "theirs" | "each"): void {
    if (this.standing.is !== "conflict") return;
    const { theirs } = this.standing;
    if (choice === "theirs") {
      this.replace(theirs);
      return;
    }
    this.means.whenStill(() => {
      this.base = theirs;
      this.set({ is: "unsaved" });
      if (choice === "each") this.means.suggest(theirs.text);
      void this.save();
    });
  }

  /** Whether something is not on the server. */
  isDirty(): boolean {
    return this.means.read() !== this.base.text;
  }

  /** Writes the copy of this browser at once: the page may be closing. Whether nothing would be lost then. */
  keepCopy(): boolean {
    clearTimeout(this.keeping);
    this.keeping = undefined;
    const text = this.means.read();
    this.isKept = text === this.base.text || this.means.keep({ text, version: this.base.version });
    return this.isKept;
  }

  /** The chapter is left: what is unsaved is kept here, and sent a last time. */
  stop(): void {
    clearTimeout(this.timer);
    if (this.isDirty()) {
      this.keepCopy();
      const text = this.means.read();
      const isFree = this.standing.is !== "conflict" && !this.running;
      if (isFree) {
        void this.means.put(text, this.base.version).then(
          () => this.means.forget(),
          () => undefined,
        );
      }
    }
    clearTimeout(this.keeping);
    this.isStopped = true;
  }

  /** Begins, or begins again after {@link stop}. */
  start(): () => void {
    this.isStopped = false;
    return () => this.stop();
  }

  private take(newest: Text, isConfirmed = false): void {
    if (this.running || (!isConfirmed && newest.version <= this.base.version)) return;
    if (newest.text === this.means.read()) {
      this.base = newest;
      this.settled();
    } else if (this.isDirty()) {
      this.keepCopy();
      this.set({ is: "conflict", theirs: newest });
    } else {
      this.base = newest;
      this.means.suggest(newest.text);
    }
  }

  private async save(): Promise<void> {
    clearTimeout(this.timer);
    if (this.isStopped || this.running || this.standing.is === "conflict") return;
    if (this.means.isComposing()) return this.arm(SOON);
    const text = this.means.read();
    if (text === this.base.text) return this.settled();
    this.keepCopy();
    this.set({ is: "saving" });
    this.running = this.send(text);
    await this.running;
    this.running = undefined;
    const newest = this.newest;
    this.newest = undefined;
    if (newest) this.seen(newest);
    // What was written while it was sent.
    if (this.standing.is === "saved" && this.isDirty()) this.touched();
  }

  private async send(text: string): Promise<void> {
    try {
      const saved = await this.means.put(text, this.base.version);
      this.base = { text, version: saved.version };
      this.failures = 0;
      this.set({ is: "saved" });
      if (!this.isDirty()) this.means.forget();
      this.means.onSaved(saved, text);
    } catch (error) {
      if (error instanceof Problem && error.status === 409) return this.meet(text);
      if (error instanceof Problem && error.isPassing) {
        this.failures++;
        this.set({ is: "offline" });
        this.arm(this.retryPause());
      } else this.set({ is: "failed", error });
    }
  }

  /** Somebody else wrote: if the same, all is well. */
  private async meet(text: string): Promise<void> {
    try {
      const theirs = await this.means.load();
      if (theirs.text === text) {
        this.base = theirs;
        this.settled();
      } else this.set({ is: "conflict", theirs });
    } catch (error) {
      this.failures++;
      this.set(error instanceof Problem && error.isPassing ? { is: "offline" } : { is: "failed", error });
      this.arm(this.retryPause());
    }
  }

  private settled(): void {
    this.failures = 0;
    if (!this.isDirty()) this.means.forget();
    this.set({ is: "saved" });
  }

  private retryPause(): number {
    return RETRIES[Math.min(Math.max(this.failures, 1), RETRIES.length) - 1] ?? PAUSE;
  }

  private arm(pause: number): void {
    clearTimeout(this.timer);
    if (!this.isStopped) this.timer = setTimeout(() => void this.save(), pause);
  }

  private set(standing: Standing): void {
    this.standing = standing;
    for (const listener of this.listeners) listener();
  }
}
