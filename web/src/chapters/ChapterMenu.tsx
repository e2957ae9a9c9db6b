import { useTranslation } from "react-i18next";
import type { ChapterRow } from "../api/schema";
import { Menu, type MenuItem, type MenuPlace } from "../parts/Menu";
import { useChapterState } from "./state";
import type { ChapterEdits } from "./useChapterEdits";

type Props = {
  row: ChapterRow;
  isFirst: boolean;
  isLast: boolean;
  at: MenuPlace;
  edits: ChapterEdits;
  onRename(): void;
  onMoveTo(): void;
  onDelete(): void;
  onClose(): void;
};

/** Everything that can be done with a chapter as a whole. */
export function ChapterMenu({ row, isFirst, isLast, at, edits, ...on }: Props) {
  const { t } = useTranslation();
  const open = useChapterState((state) => state.open);
  const isOpen = open !== undefined && row.documents.includes(open.document);
  const items: (MenuItem | false)[] = [
    { name: t("chapters.rename"), act: on.onRename },
    !isFirst && { name: t("chapters.up"), act: () => void edits.step(row, -1) },
    !isLast && { name: t("chapters.down"), act: () => void edits.step(row, 1) },
    !(isFirst && isLast) && { name: t("chapters.move_to"), act: on.onMoveTo },
    { name: t("chapters.insert_before"), act: () => void edits.add(row, "before") },
    { name: t("chapters.insert_after"), act: () => void edits.add(row, "after") },
    isOpen && { name: t("chapters.split"), act: () => void edits.split(row) },
    !isLast && { name: t("chapters.join"), act: () => void edits.join(row) },
    { name: t("chapters.delete"), act: on.onDelete, isDanger: true },
  ];
  return (
    <Menu
      label={t("chapters.menu", { title: row.title })}
      items={items.filter((item) => item !== false)}
      at={at}
      onClose={on.onClose}
    />
  );
}
