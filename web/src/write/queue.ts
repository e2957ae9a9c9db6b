import type { EditorState, Transaction } from "@tiptap/pm/state";

/** What of an editor's view the queue needs. */
export type QuietView = {
  readonly composing: boolean;
  readonly isDestroyed: boolean;
  readonly state: EditorState;
  dispatch(transaction: Transaction): void;
};

/** How long to wait before looking again whether the word is finished. */
export const PAUSE = 50;

/**
 * Every change that a machine makes to a text goes through here: while the author is composing a word it waits, for a
 * change of the paragraph in which one composes would be lost without a trace.
 */
export class Queue {
  private readonly waiting: (() => void)[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly view: () => QuietView | undefined) {}

  /** Makes a transaction of the state of that moment, and dispatches it. */
  push(make: (state: EditorState) => Transaction | null): void {
    this.whenStill(() => {
      const view = this.view();
      const transaction = view && make(view.state);
      if (transaction) view.dispatch(transaction);
    });
  }

  /** Acts now, or once no word is being composed; in the order of the asking. */
  whenStill(act: () => void): void {
    this.waiting.push(act);
    this.flush();
  }

  /** Forgets what waits. */
  clear(): void {
    this.waiting.length = 0;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private flush(): void {
    if (this.timer !== undefined) return;
    while (this.waiting.length > 0) {
      const view = this.view();
      if (!view || view.isDestroyed) {
        this.clear();
        return;
      }
      if (view.composing) {
        this.timer = setTimeout(() => {
          this.timer = undefined;
          this.flush();
        }, PAUSE);
        return;
      }
      this.waiting.shift()?.();
    }
  }
}
