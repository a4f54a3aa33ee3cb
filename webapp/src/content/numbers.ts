/** Numbers as the clinic's staff and patients read them: 1,223.5. */

const wholeNumber = new Intl.NumberFormat("es-419", { maximumFractionDigits: 0 });
const oneDecimal = new Intl.NumberFormat("es-419", {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** A count: 1,223. */
export function formatCount(value: number): string {
  return wholeNumber.format(value);
}

/** A count with what is counted: 1 conversación, 1,223 conversaciones. */
export function formatCounted(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** An average or rate to one decimal: 12.2. */
export function formatDecimal(value: number): string {
  return oneDecimal.format(value);
}

const twoDecimals = new Intl.NumberFormat("es-419", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** An amount of money, without its currency: 0.35. */
export function formatCost(value: number): string {
  return twoDecimals.format(value);
}

/** A percentage to one decimal: 4.0%. */
export function formatPercent(value: number): string {
  return `${formatDecimal(value)}%`;
}
