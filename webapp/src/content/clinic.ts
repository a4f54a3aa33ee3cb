/**
 * What the site says about the clinic. The server sends it with every page (`setClinic`);
 * no source of the webapp knows a clinic by itself.
 */
import { weekdays } from "./calendar";

/** A time of day when the clinic is open, "08:00" to "12:30". */
interface Span {
  readonly opens: string;
  readonly closes: string;
}

/** One line of the opening hours, in the clinic's zone. */
export interface OpeningHours {
  readonly days: string;
  readonly hours: string;
  /** Days of the week this line is about, 0 is Sunday. */
  readonly weekdays: readonly number[];
  /** None where it is closed. */
  readonly spans: readonly Span[];
}

interface Phone {
  readonly label: string;
  readonly href: string;
}

/** Where the clinic is; building and floor may be empty. */
interface Address {
  readonly street: string;
  readonly building: string;
  readonly floor: string;
  readonly city: string;
}

/** Days that follow each other, with other hours than those of the week. */
interface SpecialDays {
  /** `yyyy-MM-dd` in the clinic's zone; both included. */
  readonly from: string;
  readonly until: string;
  /** In words: Del sábado 6 al martes 9 de febrero. */
  readonly days: string;
  /** Why: Carnaval. */
  readonly name?: string;
  /** None where it is closed. */
  readonly spans: readonly Span[];
}

/** What the clinic tells of something, in Spanish. */
interface Fact {
  readonly key: string;
  readonly name: string;
  readonly value: string;
}

/** A picture of the clinic's own. */
export interface OwnPicture {
  /** The file that every browser reads, and its size in pixels. */
  readonly src: string;
  readonly width: number;
  readonly height: number;
  /** Empty for what only decorates. */
  readonly alt: string;
  /** The address of every other file begins with it. */
  readonly stem: string;
  /** In pixels; none of a logo. */
  readonly widths: readonly number[];
  /** What is to be seen of it where it is cut, in percent of its width and its height. */
  readonly focus: readonly number[];
  /** A JPEG of 1200 × 630 pixels. */
  readonly share?: string;
}

/** The facts as `GET /api/clinic` answers them. */
export interface ClinicAnswer {
  readonly name: string;
  readonly tagline: string;
  /** How every text speaks to visitors: tú or usted. */
  readonly formOfAddress: string;
  /** The language of the site, a BCP 47 tag. */
  readonly locale: string;
  readonly country?: { readonly code: string; readonly name: string };
  /** The law on personal data, as it follows "la". */
  readonly privacyLaw: string;
  readonly founded?: number;
  /** How many years of excellence the clinic claims. */
  readonly experience?: number;
  readonly address: Address;
  readonly phones: readonly Phone[];
  readonly email: string;
  readonly emergency: string;
  readonly links: { readonly booking: string; readonly video: string; readonly map: string };
  /** The business zone, an IANA name: all days, months and hours are of it. */
  readonly zone: string;
  /** Working days within which the clinic does what somebody asks about their own data. */
  readonly requestDays: number;
  readonly hours: readonly {
    /** 1 is Monday, 7 is Sunday. */
    readonly day: number;
    readonly spans: readonly Span[];
  }[];
  /** Those of the next weeks, in order. */
  readonly specialDays: readonly SpecialDays[];
  readonly whatsapp?: Phone;
  /** What not every clinic tells. */
  readonly facts: readonly Fact[];
  readonly payment: { readonly methods: readonly string[]; readonly currencies: readonly string[] };
  /** BCP 47 codes. */
  readonly languages: readonly string[];
  readonly priceRange?: string;
  /** The clinic's own pictures by what they are of: logo, hero/1, doctors/irina-solanilla, share. */
  readonly images: Readonly<Record<string, OwnPicture>>;
}

interface Clinic extends Omit<ClinicAnswer, "phones" | "hours"> {
  readonly phones: readonly [Phone, ...Phone[]];
  readonly hours: readonly OpeningHours[];
}

/** The facts, once they are set. */
export const clinic = {} as Clinic;

/** Sets the facts that the server sent. To be called before anything is rendered. */
export function setClinic({ phones, hours, ...others }: ClinicAnswer): void {
  const [first, ...rest] = phones;
  if (!first) throw new TypeError("the clinic has no phone");
  const facts: Clinic = { ...others, phones: [first, ...rest], hours: openingHours(hours) };
  // What this clinic does not tell is not to be known of another one.
  for (const name of Object.keys(clinic)) delete clinic[name as keyof Clinic];
  Object.assign(clinic, facts);
}

function joined(...parts: readonly string[]): string {
  return parts.filter(Boolean).join(", ");
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Street and building: Calle 1, Torre 2. */
export function streetLine({ street, building }: Address): string {
  return joined(street, building);
}

/** Floor and city: Piso 3, David. */
export function floorAndCity({ floor, city }: Address): string {
  return joined(capitalized(floor), city);
}

/** The whole address without the city: Calle 1, Torre 2, Piso 3. */
export function addressLine(address: Address): string {
  return joined(streetLine(address), capitalized(address.floor));
}

/** Puts neighbouring days with the same hours on one line. */
export function openingHours(days: ClinicAnswer["hours"]): OpeningHours[] {
  const lines: { days: number[]; spans: readonly Span[] }[] = [];
  for (const { day, spans } of days) {
    const last = lines.at(-1);
    if (last && JSON.stringify(last.spans) === JSON.stringify(spans)) last.days.push(day);
    else lines.push({ days: [day], spans });
  }
  return lines.map(({ days, spans }) => {
    const [first, last] = [days[0] ?? 1, days.at(-1) ?? 1];
    const named = weekdays[first - 1] ?? "";
    const until = (weekdays[last - 1] ?? "").toLowerCase();
    return {
      days: first === last ? named : `${named}${last - first > 1 ? " a " : " y "}${until}`,
      hours: spansLine(spans),
      weekdays: days.map((day) => day % 7),
      spans,
    };
  });
}

/** The hours of a day: 8 a. m. – 12 p. m. */
export function spansLine(spans: readonly Span[]): string {
  return (
    spans.map(({ opens, closes }) => `${clock(opens)}\u00a0–\u00a0${clock(closes)}`).join(", ") ||
    "Cerrado"
  );
}

/** Minutes after midnight. */
export function minutes(time: string): number {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return hour * 60 + minute;
}

/** A time of day as people say it: 8 a. m., 12:30 p. m. */
export function clock(time: string): string {
  const hour = Math.floor(minutes(time) / 60);
  const minute = time.slice(3);
  const said = `${hour % 12 || 12}${minute === "00" ? "" : `:${minute}`}`;
  return `${said}\u00a0${hour % 24 < 12 ? "a" : "p"}.\u00a0m.`;
}
