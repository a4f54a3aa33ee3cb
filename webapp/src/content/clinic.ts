/**
 * What the site says about the clinic. The server tells the facts that are configured
 * (`adoptClinic`); until then, and without a server, these stand in. Addresses under
 * `.example` and the phone numbers are placeholders that belong to nobody.
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

interface Phone {
  readonly label: string;
  readonly href: string;
}

interface Clinic {
  readonly name: string;
  readonly tagline: string;
  readonly address: { readonly street: string; readonly floor: string; readonly city: string };
  readonly phones: readonly [Phone, ...Phone[]];
  readonly email: string;
  readonly bookingUrl: string;
  readonly videoUrl: string;
  readonly mapUrl: string;
  readonly hours: readonly OpeningHours[];
}

/** The facts as `GET /api/clinic` answers them. */
export interface ClinicAnswer {
  readonly name: string;
  readonly tagline: string;
  readonly address: {
    readonly street: string;
    readonly building: string;
    readonly floor: string;
    readonly city: string;
  };
  readonly phones: readonly Phone[];
  readonly email: string;
  readonly links: { readonly booking: string; readonly video: string; readonly map: string };
  readonly hours: readonly {
    /** 1 is Monday, 7 is Sunday. */
    readonly day: number;
    readonly spans: readonly { readonly opens: string; readonly closes: string }[];
  }[];
}

const dayNames = [
  "Domingo",
  "Lunes",
  "Martes",
  "Miércoles",
  "Jueves",
  "Viernes",
  "Sábado",
  "Domingo",
] as const;

export const clinic: Clinic = {
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
  videoUrl: "https://video.clinica-regency.example/bienvenida",
  mapUrl: "https://mapas.clinica-regency.example/plaza-regency",
  hours: openingHours([
    ...[1, 2, 3, 4, 5].map((day) => ({ day, spans: [{ opens: "08:00", closes: "19:00" }] })),
    { day: 6, spans: [{ opens: "09:00", closes: "15:00" }] },
    { day: 7, spans: [] },
  ]),
};

/** Takes over what the server tells. To be called before anything is rendered. */
export function adoptClinic(answer: ClinicAnswer): void {
  const { name, tagline, address, phones, email, links, hours } = answer;
  const [first = clinic.phones[0], ...others] = phones;
  const told: Clinic = {
    name,
    tagline,
    address: {
      street: `${address.street}, ${address.building}`,
      floor: address.floor.charAt(0).toUpperCase() + address.floor.slice(1),
      city: address.city,
    },
    phones: [first, ...others],
    email,
    bookingUrl: links.booking,
    videoUrl: links.video,
    mapUrl: links.map,
    hours: openingHours(hours),
  };
  Object.assign(clinic, told);
}

/** Puts neighbouring days with the same hours on one line. */
export function openingHours(days: ClinicAnswer["hours"]): OpeningHours[] {
  const lines: { days: number[]; spans: ClinicAnswer["hours"][number]["spans"] }[] = [];
  for (const { day, spans } of days) {
    const last = lines.at(-1);
    if (last && JSON.stringify(last.spans) === JSON.stringify(spans)) last.days.push(day);
    else lines.push({ days: [day], spans });
  }
  return lines.map(({ days, spans }) => {
    const [first, last] = [days[0] ?? 0, days.at(-1) ?? 0];
    const named = dayNames[first] ?? "";
    const until = (dayNames[last] ?? "").toLowerCase();
    const span = spans[0];
    return {
      days: first === last ? named : `${named}${last - first > 1 ? " a " : " y "}${until}`,
      hours:
        spans
          .map(({ opens, closes }) => `${clock(opens)}\u00a0–\u00a0${clock(closes)}`)
          .join(", ") || "Cerrado",
      weekdays: days.map((day) => day % 7),
      ...(span && {
        opens: minutes(span.opens),
        closes: minutes(spans.at(-1)?.closes ?? span.closes),
      }),
    };
  });
}

function minutes(time: string): number {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return hour * 60 + minute;
}

/** A time of day as people say it: 8 a. m., 12:30 p. m. */
function clock(time: string): string {
  const hour = Math.floor(minutes(time) / 60);
  const minute = time.slice(3);
  const said = `${hour % 12 || 12}${minute === "00" ? "" : `:${minute}`}`;
  return `${said}\u00a0${hour % 24 < 12 ? "a" : "p"}.\u00a0m.`;
}
