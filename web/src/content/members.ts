import { useTranslation } from "react-i18next";

/** Returns what names a member of a value in the author's language. */
export function useMemberName(): (name: string) => string {
  const { t, i18n } = useTranslation();
  return (name) => {
    const key = `content.member.${name}`;
    return i18n.exists(key) ? String(t(key as "content.member.title")) : name.replace(/_/g, " ");
  };
}
