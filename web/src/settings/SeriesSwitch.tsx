import { Switch } from "./parts/parts";
import styles from "./SeriesSwitch.module.css";
import { useSeries } from "./series";

type Given = { project: string; label: string; isOn: boolean; onChange(isOn: boolean): void };

/** Whether the earlier books of a series are looked through too; nothing for a book that has none. */
export function SeriesSwitch({ project, label, isOn, onChange }: Given) {
  const { data: rows = [] } = useSeries(project);
  if (rows.every(({ missing }) => missing)) return null;
  return (
    <span className={styles.series}>
      <Switch label={label} isOn={isOn} onChange={onChange} />
      {label}
    </span>
  );
}
