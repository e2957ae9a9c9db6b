import { useEditorState } from "@tiptap/react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../parts/Button";
import { Failed } from "../parts/states";
import { Bar } from "./Bar";
import { CompareModels, SideBySide } from "./CompareModels";
import { MOST_VERSIONS, type Order } from "./orders";
import styles from "./ProposalBar.module.css";
import { type Proposal, proposalsOf, wordsAt } from "./proposals";
import type { Editing } from "./useEditing";
import { endOrder, type Proposing } from "./useProposals";

type Props = {
  editing: Editing;
  proposing: Proposing;
  /** Whether changes whose words have changed are shown beside what stands there now. */
  isCompared: boolean;
  onCompare(on: boolean): void;
};

/** The work of agents on this chapter and their proposals, which are taken or discarded as a whole. */
export function ProposalBar({ editing, proposing, isCompared, onCompare }: Props) {
  const { t } = useTranslation();
  const proposals = useEditorState({
    editor: editing.editor,
    selector: ({ editor }) => proposalsOf(editor.state),
  });
  const { orders, refusal, forgive } = proposing;
  return (
    <>
      {refusal && (
        <Bar tone="failing">
          <span role="alert">{t(`write.caret.refused.${refusal}`)}</span>
          <Button onClick={forgive}>{t("common.close")}</Button>
        </Bar>
      )}
      {orders.map((order) => {
        const proposal = proposals.find(({ id }) => id === order.id);
        // Another version is told beside the first.
        const isVersion = orders.some(({ id }) => id === order.of);
        if (isVersion && order.status === "working") return null;
        if (order.status === "working") return <Working key={order.id} editing={editing} order={order} />;
        if (order.status === "failed") return <Refused key={order.id} editing={editing} order={order} />;
        if (!proposal || proposal.pieces.length === 0) return null;
        return (
          <Answer
            key={order.id}
            editing={editing}
            proposing={proposing}
            order={order}
            proposal={proposal}
            isCompared={isCompared}
            onCompare={onCompare}
          />
        );
      })}
    </>
  );
}

function Working({ editing, order }: { editing: Editing; order: Order }) {
  const { t } = useTranslation();
  const name = t(`write.caret.command.${order.command}`);
  return (
    <Bar label={name}>
      <span role="status">{t("write.caret.under_way", { name })}</span>
      <Button onClick={() => endOrder(editing, order)}>{t("common.stop")}</Button>
    </Bar>
  );
}

function Refused({ editing, order }: { editing: Editing; order: Order }) {
  const { t } = useTranslation();
  const name = t(`write.caret.command.${order.command}`);
  return (
    <Bar label={name} tone="failing">
      <span role="alert">
        {order.failure || order.error === undefined
          ? t("write.caret.failed", { name, why: order.failure || t("write.caret.no_change") })
          : name}
      </span>
      {order.error !== undefined && <Failed error={order.error} />}
      <Button onClick={() => endOrder(editing, order)}>{t("common.close")}</Button>
    </Bar>
  );
}

type AnswerProps = Props & { order: Order; proposal: Proposal };

function Answer({ editing, proposing, order, proposal, isCompared, onCompare }: AnswerProps) {
  const { t } = useTranslation();
  const name = t(`write.caret.command.${order.command}`);
  const changed = proposal.pieces.filter(({ stands }) => !stands);
  const count = proposal.pieces.length;
  const isAsking = proposing.orders.some(({ of, status }) => of === order.id && status === "working");
  return (
    <>
      <Bar label={t("write.caret.proposal", { name })}>
        <span role="status">
          {t("write.caret.count", { name, count })}
          {changed.length > 0 && ` ${t("write.caret.lost", { count: changed.length })}`}
        </span>
        {changed.length > 0 && (
          <Button aria-pressed={isCompared} onClick={() => onCompare(!isCompared)}>
            {t("write.caret.both")}
          </Button>
        )}
        <Button
          aria-label={t("write.suggestions.previous")}
          title={t("write.suggestions.previous")}
          onClick={() => proposing.step(-1)}
        >
          ‹
        </Button>
        <Button
          aria-label={t("write.suggestions.next")}
          title={t("write.suggestions.next")}
          onClick={() => proposing.step(1)}
        >
          ›
        </Button>
        <Versions order={order} isAsking={isAsking} proposing={proposing} />
        <Button onClick={() => proposing.decideOrder(order.id, false)}>{t("write.caret.discard_all")}</Button>
        <Button
          kind="main"
          disabled={changed.length === count}
          onClick={() => proposing.decideOrder(order.id, true)}
        >
          {t("write.caret.take_all")}
        </Button>
      </Bar>
      {isCompared && changed.length > 0 && (
        <ul className={styles.changed} aria-label={t("write.caret.both")}>
          {changed.map((piece) => (
            <li key={piece.id}>
              <dl>
                <div>
                  <dt>{t("write.caret.before")}</dt>
                  <dd>{piece.anchor.quote}</dd>
                </div>
                <div>
                  <dt>{t("write.caret.now")}</dt>
                  <dd>{presentWords(editing, piece)}</dd>
                </div>
                <div>
                  <dt>{t("write.caret.proposed")}</dt>
                  <dd>{piece.text || t("write.caret.nothing_left")}</dd>
                </div>
              </dl>
              <div className={styles.choices}>
                <Button onClick={() => proposing.decide([piece.id], false)}>
                  {t("write.caret.keep_now")}
                </Button>
                <Button onClick={() => proposing.decide([piece.id], true)}>
                  {t("write.caret.take_anyway")}
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

type VersionsProps = { order: Order; isAsking: boolean; proposing: Proposing };

/** Goes through the versions of an answer, and asks for another. */
function Versions({ order, isAsking, proposing }: VersionsProps) {
  const { t } = useTranslation();
  const [opened, open] = useState<"models" | "side">();
  const of = Math.max(1, order.versions.length);
  return (
    <>
      {of > 1 && (
        <Button
          onClick={() => proposing.look(order, (order.version + 1) % of)}
          title={t("write.caret.next_version")}
        >
          {t("write.caret.version", { number: order.version + 1, of })}
        </Button>
      )}
      {of > 1 && <Button onClick={() => open("side")}>{t("write.models.side")}</Button>}
      {of < MOST_VERSIONS && (
        <Button disabled={isAsking} onClick={() => proposing.again(order)}>
          {isAsking ? t("write.caret.version_working") : t("write.caret.again")}
        </Button>
      )}
      {of + 2 <= MOST_VERSIONS && (
        <Button disabled={isAsking} onClick={() => open("models")}>
          {t("write.models.open")}
        </Button>
      )}
      {opened === "models" && (
        <CompareModels
          order={order}
          onAsk={(models) => {
            open(undefined);
            for (const model of models) proposing.again(order, model);
          }}
          onClose={() => open(undefined)}
        />
      )}
      {opened === "side" && (
        <SideBySide
          order={order}
          onLook={(version) => {
            open(undefined);
            proposing.look(order, version);
          }}
          onClose={() => open(undefined)}
        />
      )}
    </>
  );
}

/** Returns the present text in the place of words that have changed; their paragraph if nothing of them is left. */
function presentWords({ editor }: Editing, place: { from: number; to: number }): string {
  const { doc } = editor.state;
  return wordsAt(doc, place) || doc.resolve(Math.min(place.from, doc.content.size)).parent.textContent;
}
