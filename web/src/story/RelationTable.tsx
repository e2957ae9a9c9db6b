import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Relation } from "../api/story";
import { Button } from "../parts/Button";
import { Empty } from "../parts/states";
import type { Book } from "./book";
import { PieceForm } from "./PieceForm";
import { Name } from "./parts";
import styles from "./Relations.module.css";
import { useBondWord } from "./siblings";

type Props = { project: string; book: Book; relations: readonly Relation[] };

/** The same as the graph, in rows that can be changed. */
export function RelationTable({ project, book, relations }: Props) {
  const { t } = useTranslation();
  const wordOf = useBondWord(book.story.characters);
  const [open, setOpen] = useState<string>();
  if (relations.length === 0) return <Empty title={t("story.relations.none")} />;
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t("story.field.from")}</th>
            <th scope="col">{t("story.field.type")}</th>
            <th scope="col">{t("story.field.to")}</th>
            <th scope="col">{t("story.field.strength")}</th>
            <th scope="col">{t("story.relations.span")}</th>
            <th scope="col">{t("story.field.description")}</th>
            <th scope="col">
              <span className="unseen">{t("common.edit")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {relations.flatMap((relation) => {
            const { id, from, to, type, own_kind: own, strength, since, until, description } = relation;
            const isOpen = open === id;
            const name = `${from} — ${to}`;
            const row = (
              <tr key={id}>
                <td>
                  <Name project={project} book={book} name={from} />
                </td>
                <td>{wordOf({ kind: type, own: own ?? "", relations: [relation] })}</td>
                <td>
                  <Name project={project} book={book} name={to} />
                </td>
                <td>
                  <span className={styles.meter} role="img" aria-label={`${Math.round(strength * 100)}%`}>
                    <span style={{ width: `${strength * 100}%` }} />
                  </span>
                </td>
                <td>
                  {[since, until].some(Boolean)
                    ? `${since ?? ""} – ${until ?? ""}`
                    : t("story.relations.always")}
                </td>
                <td>{description}</td>
                <td>
                  <Button
                    aria-expanded={isOpen}
                    aria-label={`${t("common.edit")}: ${name}`}
                    onClick={() => setOpen(isOpen ? undefined : id)}
                  >
                    {t("common.edit")}
                  </Button>
                </td>
              </tr>
            );
            const form = (
              <tr key={`${id} form`}>
                <td colSpan={7}>
                  <PieceForm
                    key={id}
                    project={project}
                    kind="relation"
                    book={book}
                    piece={relation}
                    name={name}
                    onDone={() => setOpen(undefined)}
                  />
                </td>
              </tr>
            );
            return isOpen ? [row, form] : [row];
          })}
        </tbody>
      </table>
    </div>
  );
}
