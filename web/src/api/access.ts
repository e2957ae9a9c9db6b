/** The key and the page token that one request was sent with. */
export type Sent = { token: string; key: string | null };

/** Access to the server, as its current page declares it. */
export type PageState =
  /** A server without keys; its page contains this token. */
  | { is: "open"; token: string }
  /** A server that requires keys; its page contains no token. */
  | { is: "locked" }
  | { is: "unreachable" };

/** Reaction to a request that was refused with 401. */
export type Verdict =
  /** Send it once more, with the credentials as they are now. */
  | "retry"
  /** The server requires a key, and the request had none or a wrong one. */
  | "ask"
  /** The server does not answer; the request may succeed later. */
  | "wait"
  /** A server without keys refused its own current token; a key would not help. */
  | "refused";

type Source = {
  /** The token in the page as it was loaded; empty if the server requires keys. */
  token: string;
  key(): string | null;
  dropKey(): void;
  /** Fetches the page anew and reads what it says of access. */
  read(): Promise<PageState>;
};

/**
 * The access of this page to its server. A restarted server has another page token, which is fetched when a request is
 * refused; requests that are refused at the same time share one fetch.
 */
export class Access {
  /** Whether the server requires a key that this page does not have. */
  isKeyNeeded = false;
  private token: string;
  private reading: Promise<PageState> | undefined;

  constructor(private readonly source: Source) {
    this.token = source.token;
  }

  get now(): Sent {
    return { token: this.token, key: this.source.key() };
  }

  /** Decides what to do with a request that was refused with these credentials. */
  async renew(sent: Sent): Promise<Verdict> {
    if (this.isOutdated(sent)) return "retry";
    const page = await this.refresh();
    if (page.is === "unreachable") return "wait";
    if (page.is === "locked") {
      this.isKeyNeeded = true;
      return sent.key === this.source.key() ? "ask" : "retry";
    }
    if (this.isOutdated(sent)) return "retry";
    if (sent.key === null) return "refused";
    // A key from before the server stopped requiring keys is refused like any wrong key.
    this.source.dropKey();
    return "retry";
  }

  /** Fetches the page and keeps its token. Also tells whether the server answers. */
  async refresh(): Promise<PageState> {
    this.reading ??= this.source.read().finally(() => {
      this.reading = undefined;
    });
    const page = await this.reading;
    if (page.is === "open") {
      this.token = page.token;
      this.isKeyNeeded = false;
    } else if (page.is === "locked") this.token = "";
    return page;
  }

  /** Whether the credentials changed since: the request was refused with old ones. */
  private isOutdated(sent: Sent): boolean {
    return sent.token !== this.token || sent.key !== this.source.key();
  }
}

/** Reads what an answer to a request for the page says of access. */
export function stateOf(ok: boolean, html: string): PageState {
  if (!ok) return { is: "unreachable" };
  const page = new DOMParser().parseFromString(html, "text/html");
  const token = tokenIn(page);
  // Another program answers at this address, such as a proxy whose server is down.
  if (token === undefined) return { is: "unreachable" };
  return token === "" ? { is: "locked" } : { is: "open", token };
}

/** The token in a page; nothing if it is not a page of the studio. */
export function tokenIn(page: Document): string | undefined {
  return page.querySelector<HTMLMetaElement>('meta[name="qingyu-page"]')?.content;
}
