/**
 * What the site says about the clinic. The server sends it with every page (`setClinic`);
 * no source of the webapp knows a clinic by itself.
 */
import type { components } from "../api/schema.gen";
import { weekdays } from "./calendar";

type Schemas = components["schemas"];
type Address = Schemas["Clinic"]["address"];
type Phone = Schemas["Phone"];
type Span = Schemas["OpenSpan"];

/** The facts as `GET /api/clinic` answers them, without the one that no page shows. */
export type ClinicAnswer = Omit<Schemas["Clinic"], "noticeVersion">;

/** A picture of the clinic's own. */
export type OwnPicture = Schemas["Picture"];

/** One line of the opening hours, in the clinic's zone. */
interface OpeningHours {
  readonly days: string;
  readonly hours: string;
  /** Days of the week this line is about, 0 is Sunday. */
  readonly weekdays: readonly number[];
  /** None where it is closed. */
  readonly spans: readonly Span[];
}

interface Clinic extends Omit<ClinicAnswer, "phones" | "hours"> {
  readonly phones: readonly [Phone, ...Phone[]];
  readonly hours: readonly OpeningHours[];
}

/** The facts, once they are set. */
export const clinic = {} as Clinic;

/** Where the link to an account at a social network leads that there is not yet. */
export const noAccount = "#";

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

/** A text in which the first phone number stays on one line. */
export function withPhoneWhole(text: string): string {
  const [{ label }] = clinic.phones;
  const whole = label.replace(/[ -]/g, (sign) => (sign === " " ? "\u00a0" : "\u2011"));
  return text.replace(label, whole);
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
  const [, minute] = time.split(":");
  const said = `${hour % 12 || 12}${minute === "00" ? "" : `:${minute}`}`;
  return `${said}\u00a0${hour % 24 < 12 ? "a" : "p"}.\u00a0m.`;
}
