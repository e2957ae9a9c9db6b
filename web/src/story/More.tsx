import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../parts/Button";

type Props<T> = {
  items: readonly T[];
  /** How many are shown at first, and more at a time. */
  step: number;
  children: (item: T) => ReactNode;
  /** What stands around those that are shown. */
  within?: (shown: ReactNode) => ReactNode;
};

/** The beginning of a list that may be long, and more of it when it is asked for. */
export function More<T>({ items, step, children, within = (shown) => shown }: Props<T>) {
  const { t } = useTranslation();
  const [most, setMost] = useState(step);
  const left = items.length - most;
  return (
    <>
      {within(items.slice(0, most).map(children))}
      {left > 0 && (
        <div>
          <Button onClick={() => setMost(most + Math.max(step, 50))}>
            {t("story.more", { count: left })}
          </Button>
        </div>
      )}
    </>
  );
}
