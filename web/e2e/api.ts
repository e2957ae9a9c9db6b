/** What only pages of the studio may ask, asked beside them. */
export class Api {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  async get<T>(path: string): Promise<T> {
    return this.ask<T>(path, {});
  }

  async post<T>(path: string, body: unknown): Promise<T> {
    return this.ask<T>(path, { method: "POST", body: JSON.stringify(body) });
  }

  async put<T>(path: string, body: unknown): Promise<T> {
    return this.ask<T>(path, { method: "PUT", body: JSON.stringify(body) });
  }

  private async ask<T>(path: string, init: RequestInit): Promise<T> {
    // A browser's mark would make it a page: programs send none.
    const answer = await fetch(`${this.url}/api/v1${path}`, {
      ...init,
      headers: { "Content-Type": "application/json" },
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${init.method ?? "GET"} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as T;
  }
}
