import { type ReactNode, useEffect, useRef } from "react";
import styles from "./Dialog.module.css";

type Props = {
  label: string;
  role?: "dialog" | "alertdialog";
  onClose(): void;
  children: ReactNode;
};

/** A modal question over the page; Escape closes it, and the focus returns to where it was. */
export function Dialog({ label, role = "dialog", onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      role={role}
      aria-label={label}
      className={styles.dialog}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={(event) => event.stopPropagation()}
    >
      {children}
    </dialog>
  );
}
