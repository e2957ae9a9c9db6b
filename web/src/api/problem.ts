/** A failure as the server tells it (RFC 9457), or one of the line to it. */
export class Problem extends Error {
  /** The status of the answer; 0 if none came. */
  readonly status: number;
  /** What went wrong, in one stable word. */
  readonly code: string;
  /** The name of the request in the server's log. */
  readonly request: string | undefined;
  /** What else is known of it. */
  readonly data: Readonly<Record<string, unknown>>;

  constructor(status: number, code: string, message: string, data: Record<string, unknown> = {}) {
    super(message);
    this.name = "Problem";
    this.status = status;
    this.code = code;
    this.data = data;
    this.request = typeof data.request_id === "string" ? data.request_id : undefined;
  }

  static of(response: Response, body: unknown): Problem {
    const data = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
    const code = typeof data.code === "string" ? data.code : `http_${response.status}`;
    const message = typeof data.title === "string" ? data.title : response.statusText;
    return new Problem(response.status, code, message, data);
  }

  static ofNetwork(cause: unknown): Problem {
    return new Problem(0, "no_connection", cause instanceof Error ? cause.message : String(cause));
  }

  /** Whether the same may work later without anything being changed. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status === 503 || this.status === 502;
  }
}
