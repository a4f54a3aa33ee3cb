/** Numbers as the clinic's staff and patients read them in its country: 1,223.5 in Panama. */
import { clinic } from "./clinic";

const writers = new Map<string, Intl.NumberFormat>();

/** A number with so many digits behind the point, as the clinic's country writes it. */
function written(value: number, digits: number): string {
  const { locale = "es" } = clinic;
  const key = `${locale} ${digits}`;
  const writer =
    writers.get(key) ??
    new Intl.NumberFormat(locale === "es" ? "es-419" : locale, {
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  writers.set(key, writer);
  return writer.format(value);
}

/** A count: 1,223. */
export function formatCount(value: number): string {
  return written(value, 0);
}

/** A count with what is counted: 1 conversación, 1,223 conversaciones. */
export function formatCounted(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** An average or rate to one decimal: 12.2. */
export function formatDecimal(value: number): string {
  return written(value, 1);
}

/** An amount of money, without its currency: 0.35. */
export function formatCost(value: number): string {
  return written(value, 2);
}

/** A percentage to one decimal: 4.0%; in Spain 4,0 %. */
export function formatPercent(value: number): string {
  return formatDecimal(value) + (clinic.locale === "es-ES" ? "\u00a0%" : "%");
}
