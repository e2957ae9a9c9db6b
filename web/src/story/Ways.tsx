import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../parts/Button";
import { Dim } from "../parts/Card";
import { Select, TextField } from "../parts/Field";
import { Failed } from "../parts/states";
import type { Book } from "./book";
import { Name } from "./parts";
import { useEdit } from "./tools";
import styles from "./World.module.css";
import type { Thing } from "./WorldThing";
import { type Travel, travelOf } from "./world";

type Props = { project: string; book: Book; place: Thing; isEdited: boolean };

/** How long it takes from a place to others. */
export function Ways({ project, book, place, isEdited }: Props) {
  const { t } = useTranslation();
  const edit = useEdit(project);
  const ways = travelOf(place);
  const put = (travel: Travel[]) =>
    edit.mutate({ action: "update", kind: "location", id: place.id, data: { travel } });
  if (ways.length === 0 && !isEdited) return null;
  return (
    <section className={styles.ways}>
      <h3>{t("story.world.ways")}</h3>
      <ul>
        {ways.map((way) => (
          <li key={way.to + way.by}>
            <Name project={project} book={book} name={book.named(way.to)?.name ?? way.to} />
            <strong>{way.duration}</strong>
            <Dim>{way.by}</Dim>
            {isEdited && (
              <Button
                kind="plain"
                aria-label={`${t("common.delete")}: ${way.to}`}
                onClick={() => put(ways.filter((other) => other !== way))}
              >
                {t("common.delete")}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {edit.error && <Failed error={edit.error} />}
      {isEdited && <AddWay book={book} place={place} onAdd={(way) => put([...ways, way])} />}
    </section>
  );
}

function AddWay({ book, place, onAdd }: { book: Book; place: Thing; onAdd: (way: Travel) => void }) {
  const { t } = useTranslation();
  const [way, type] = useState<Travel>({ to: "", duration: "", by: "" });
  const others = (book.story.worldview?.locations ?? []).filter(({ id }) => id !== place.id);
  const add = (event: FormEvent) => {
    event.preventDefault();
    onAdd(way);
    type({ to: "", duration: "", by: "" });
  };
  return (
    <form className={styles.add} onSubmit={add}>
      <Select
        label={t("story.world.to")}
        value={way.to}
        onChange={(event) => type({ ...way, to: event.target.value })}
      >
        <option value="">{t("story.choose")}</option>
        {others.map(({ id, name }) => (
          <option key={id} value={name}>
            {name}
          </option>
        ))}
      </Select>
      <TextField
        label={t("story.field.duration")}
        value={way.duration}
        onChange={(event) => type({ ...way, duration: event.target.value })}
      />
      <TextField
        label={t("story.world.by")}
        value={way.by}
        onChange={(event) => type({ ...way, by: event.target.value })}
      />
      <Button type="submit" disabled={way.to === "" || way.duration.trim() === ""}>
        {t("common.add")}
      </Button>
    </form>
  );
}
