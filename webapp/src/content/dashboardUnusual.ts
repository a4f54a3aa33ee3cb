import { formatCount, formatCounted, formatDecimal } from "./numbers";

const conversations = (count: number) => formatCounted(count, "conversación", "conversaciones");

interface Weekday {
  readonly day: string;
  readonly count: number;
  readonly weeks: number;
  readonly least: number;
  readonly most: number;
  readonly median: number;
}

const compared = ({ day, count, weeks, least, most, median }: Weekday) =>
  `El ${day} hubo ${conversations(count)}. En los ${formatCount(weeks)} mismos días de la semana anteriores hubo de ${formatCount(least)} a ${formatCount(most)}, con una mediana de ${formatDecimal(median)}.`;

/** The texts of what is unusual. */
export const unusualTexts = {
  title: "Fuera de lo común",
  note: "Un día destaca si tuvo la mitad o el doble de la mediana de los mismos días de la semana, y menos o más que cualquiera de ellos.",
  none: "Todo está como de costumbre.",
  loading: "Buscando lo que está fuera de lo común",
  failure: "No se pudo averiguar qué está fuera de lo común.",
  drop: (of: Weekday) => `Menos conversaciones. ${compared(of)}`,
  spike: (of: Weekday) => `Más conversaciones. ${compared(of)}`,
  provider: (name: string) =>
    `El proveedor ${name} falla. Mientras tanto responde el asistente propio, sin él.`,
  limit: (day: string) => `Al ritmo de este mes, el límite de conversaciones se alcanza el ${day}.`,
  refusals: (count: number, month: string) =>
    `El límite mensual dejó fuera ${formatCounted(count, "visita", "visitas")} al chat en ${month}.`,
  see: {
    drop: "Ver el día",
    spike: "Ver el día",
    provider: "Ver la calidad",
    limit: "Ver el mes",
    refusals: "Ver el mes",
  },
} as const;
