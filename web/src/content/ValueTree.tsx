import { useTranslation } from "react-i18next";
import { useMemberName } from "./members";
import styles from "./ValueTree.module.css";
import { isShort, membersOf, schemaOf } from "./value";

type Props = {
  value: unknown;
  /** Its JSON Schema: it says in which order members are told. */
  schema?: unknown;
};

/** A structured value as people read it: names with what they hold, lists by number. */
export function ValueTree({ value, schema }: Props) {
  const { t } = useTranslation();
  if (value === null || value === undefined || value === "") return <em>{t("common.none")}</em>;
  if (typeof value === "boolean") return <>{value ? t("content.yes") : t("content.no")}</>;
  if (Array.isArray(value)) return <List items={value} schema={schemaOf(schema)} />;
  if (typeof value === "object") return <Members value={value} schema={schema} />;
  return <span className={styles.words}>{String(value)}</span>;
}

function List({ items, schema }: { items: readonly unknown[]; schema: unknown }) {
  const { t } = useTranslation();
  if (items.length === 0) return <em>{t("common.none")}</em>;
  return (
    <ol className={items.every(isShort) ? styles.short : styles.list}>
      {items.map((item, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no names
        <li key={place}>
          <ValueTree value={item} schema={schema} />
        </li>
      ))}
    </ol>
  );
}

function Members({ value, schema }: { value: object; schema: unknown }) {
  const called = useMemberName();
  return (
    <dl className={styles.members}>
      {membersOf(value, schema).map(([name, member]) => (
        <div key={name} className={isShort(member) ? styles.beside : undefined}>
          <dt>{called(name)}</dt>
          <dd>
            <ValueTree value={member} schema={schemaOf(schema, name)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
