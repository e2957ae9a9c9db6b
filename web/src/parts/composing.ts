import type { KeyboardEvent as ReactKeyboardEvent } from "react";

/** Returns whether a key belongs to a word in an input method; Safari marks the key that ends the word by the code 229 alone. */
export function isComposing(event: KeyboardEvent | ReactKeyboardEvent): boolean {
  const { isComposing, keyCode } = "nativeEvent" in event ? event.nativeEvent : event;
  return isComposing || keyCode === 229;
}
