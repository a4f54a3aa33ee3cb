/** What widens the last of a list so that its row of two, or of three, is full. */
export const fillsRow =
  "md:max-lg:last:odd:col-span-2 lg:last:nth-[3n+1]:col-span-3 lg:last:nth-[3n+2]:col-span-2";

/**
 * In how many columns a list stands where there is room for three, from a width of the window on: in
 * two if a row of three would leave one entry, or a place, alone.
 */
export function columnsOf(list: readonly unknown[], from: "md" | "lg" = "lg"): string {
  const inTwo = list.length === 2 || list.length === 4;
  if (from === "md") return inTwo ? "md:grid-cols-2" : "md:grid-cols-3";
  return inTwo ? "lg:grid-cols-2" : "lg:grid-cols-3";
}
