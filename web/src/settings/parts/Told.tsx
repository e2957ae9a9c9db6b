import { Failed } from "../../parts/states";

/** What went wrong; nothing if nothing did. */
export function Told({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  return error ? <Failed error={error} onRetry={onRetry} /> : undefined;
}
