/**
 * What the site says about the clinic. Addresses under `.example` and the
 * phone numbers are placeholders that belong to nobody.
 */

/** One line of the opening hours; times are minutes after midnight in the business zone. */
export interface OpeningHours {
  readonly days: string;
  readonly hours: string;
  /** Days of the week this line is about, 0 is Sunday. */
  readonly weekdays: readonly number[];
  readonly opens?: number;
  readonly closes?: number;
}

export const clinic = {
  name: "Clínica Dental Regency",
  tagline: "Al servicio de la Ciudad de Panamá desde 2005",
  address: {
    street: "Vía España, Edificio Plaza Regency",
    floor: "Piso 9",
    city: "Ciudad de Panamá",
  },
  phones: [
    { label: "+507 200-0101", href: "tel:+5072000101" },
    { label: "+507 6000-0101", href: "tel:+50760000101" },
  ],
  email: "citas@clinica-regency.example",
  bookingUrl: "https://reservas.clinica-regency.example/",
  hours: [
    {
      days: "Lunes a viernes",
      hours: "8\u00a0a.\u00a0m.\u00a0–\u00a07\u00a0p.\u00a0m.",
      weekdays: [1, 2, 3, 4, 5],
      opens: 8 * 60,
      closes: 19 * 60,
    },
    {
      days: "Sábado",
      hours: "9\u00a0a.\u00a0m.\u00a0–\u00a03\u00a0p.\u00a0m.",
      weekdays: [6],
      opens: 9 * 60,
      closes: 15 * 60,
    },
    { days: "Domingo", hours: "Cerrado", weekdays: [0] },
  ] satisfies readonly OpeningHours[],
} as const;
