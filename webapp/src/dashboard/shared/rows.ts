/**
 * Gives the focus to the row after (1) or before (-1) the one that has it; else to the first that is
 * drawn. Returns whether there is such a row.
 */
export function focusRow(step: 1 | -1): boolean {
  const list = document.querySelector("[data-rows]");
  const row = list?.contains(document.activeElement)
    ? document.activeElement?.closest("li")
    : undefined;
  const sibling = step === 1 ? "nextElementSibling" : "previousElementSibling";
  const next = row ? row[sibling] : list?.firstElementChild;
  next?.querySelector<HTMLElement>("[data-opens]")?.focus();
  return Boolean(next);
}
