import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { PieceKind } from "../../api/schema";
import { Button } from "../../parts/Button";
import { Select } from "../../parts/Field";
import { Empty } from "../../parts/states";
import type { Book } from "../../story/book";
import { Entry } from "../../story/Entry";
import { blank, changesOf, type Data, type Typed, typedOf } from "../../story/fields";
import { useFields } from "../../story/kinds";
import piece from "../../story/parts.module.css";
import styles from "./DecisionCard.module.css";
import { nameOf, type Part, partOf, piecesIn, withoutPiece, withPiece } from "./material";

type Props = {
  book: Book;
  part: Part;
  /** The part as it is to be so far. */
  value: unknown;
  onChange(value: unknown): void;
};

/** A part of the material as forms: one piece at a time, which can be changed, taken out, or be joined by others. */
export function MaterialForm({ book, part, value, onChange }: Props) {
  const { t } = useTranslation();
  const kind = partOf[part];
  const pieces = piecesIn(value);
  const [place, choose] = useState(0);
  const at = Math.max(0, Math.min(place, pieces.length - 1));
  const chosen = pieces[at];
  const isList = Array.isArray(value);
  const add = () => {
    onChange([...pieces, {}]);
    choose(pieces.length);
  };
  return (
    <div className={styles.piece}>
      {isList && (
        <div className={styles.parts}>
          {pieces.length > 0 && (
            <Select
              label={t("runs.decide.review.piece", { number: at + 1, count: pieces.length })}
              value={at}
              onChange={(event) => choose(Number(event.target.value))}
            >
              {pieces.map((one, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a piece is known by its place, as the server takes it
                <option key={index} value={index}>
                  {nameOf(one) || `${index + 1}`}
                </option>
              ))}
            </Select>
          )}
          <Button onClick={add}>{t("common.add")}</Button>
          {pieces.length > 0 && (
            <Button onClick={() => onChange(withoutPiece(value, at))}>
              {t("runs.decide.review.take_out")}
            </Button>
          )}
        </div>
      )}
      {kind !== undefined && chosen !== undefined ? (
        <PieceFields
          key={`${at}/${pieces.length}`}
          book={book}
          kind={kind}
          piece={chosen}
          onChange={(changed) => onChange(withPiece(value, at, changed))}
        />
      ) : (
        <Empty title={t("runs.decide.review.no_pieces")} />
      )}
    </div>
  );
}

type FieldsProps = { book: Book; kind: PieceKind; piece: Data; onChange(piece: Data): void };

/** The fields of a piece as they are typed; what has no field stays as it is. */
function PieceFields({ book, kind, piece: given, onChange }: FieldsProps) {
  const fields = useFields(book)(kind);
  const [before] = useState(given);
  const [typed, type] = useState<Typed>(() => typedOf(fields, given));
  const change = (next: Typed) => {
    type(next);
    onChange({ ...before, ...changesOf(fields, before, next) });
  };
  return (
    <div className={piece.form}>
      {fields.map((field) => (
        <Entry
          key={field.name}
          field={field}
          value={typed[field.name] ?? blank(field)}
          onChange={(value) => change({ ...typed, [field.name]: value })}
        />
      ))}
    </div>
  );
}
