import styles from "./Comparison.module.css";
import type { Piece } from "./compare";

/** Places that differ, in pieces: what went is struck out, what came is coloured. */
export function Comparison({ places, label }: { places: readonly Piece[][]; label: string }) {
  return (
    <ol className={styles.places} aria-label={label}>
      {places.map((pieces, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the places are drawn anew as a whole
        <li key={place}>
          {pieces.map((piece, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: so are their pieces
            <PieceText key={index} piece={piece} />
          ))}
        </li>
      ))}
    </ol>
  );
}

/** How much of what stayed is told around a change. */
const AROUND = 60;

function PieceText({ piece: { op, text } }: { piece: Piece }) {
  if (op === "removed") return <del className={styles.removed}>{text}</del>;
  if (op === "added") return <ins className={styles.added}>{text}</ins>;
  return <span>{text.length > AROUND * 2 ? `${text.slice(0, AROUND)} … ${text.slice(-AROUND)}` : text}</span>;
}
