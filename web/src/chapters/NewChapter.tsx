import { Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../parts/Button";
import { useChapterState } from "./state";
import { useChapterEdits } from "./useChapterEdits";

/** Adds an empty chapter after the last one, and opens it. */
export function NewChapter({ project }: { project: string }) {
  const { t } = useTranslation();
  const edits = useChapterEdits(project);
  const isBusy = useChapterState((state) => state.isBusy);
  return (
    <Button disabled={isBusy} onClick={() => void edits.add()}>
      <Plus size={15} aria-hidden />
      {t("chapters.new")}
    </Button>
  );
}
