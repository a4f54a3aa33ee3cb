import { clinic, streetLine } from "./clinic";

/** The facts of the clinic that a text may name; nothing for one that it does not tell. */
const facts: Readonly<Record<string, () => Value>> = {
  clinicName: () => clinic.name,
  tagline: () => clinic.tagline,
  phone1: () => clinic.phones[0].label,
  phone2: () => (clinic.phones[1] ?? clinic.phones[0]).label,
  email: () => clinic.email,
  emergency: () => clinic.emergency,
  privacyLaw: () => clinic.privacyLaw,
  founded: () => clinic.founded,
  experience: () => clinic.experience,
  countryName: () => clinic.country?.name,
  phone1Url: () => clinic.phones[0].href,
  bookingUrl: () => clinic.links.booking || undefined,
  street: () => clinic.address.street,
  streetLine: () => streetLine(clinic.address),
  city: () => clinic.address.city,
  /** With the article that "Ciudad de …" has in a sentence. */
  theCity: () => clinic.address.city.replace(/^Ciudad /, "la $&"),
};

/** Of every pair like `{puedes|puede}` leaves the word of the clinic's form of address. */
export function addressed(text: string): string {
  const word = clinic.formOfAddress === "usted" ? "$2" : "$1";
  return text.replace(/\{([^{}|]*)\|([^{}|]*)\}/g, word);
}

type Value = string | number | undefined;

const named = /\{\{(\w+)\}\}/g;

/**
 * Puts values, and facts of the clinic, in the place of `{{name}}`. Of alternatives, which " || "
 * separates, it takes the first that names nothing untold; where there is none, nothing is left.
 */
export function fill(text: string, values: Readonly<Record<string, Value>> = {}): string {
  const of = (name: string, whole: string) =>
    name in values ? values[name] : name in facts ? facts[name]?.() : whole;
  const isTold = (part: string) =>
    [...part.matchAll(named)].every(([whole, name = ""]) => of(name, whole) !== undefined);
  const chosen = addressed(text).split(" || ").find(isTold) ?? "";
  return chosen.replace(named, (whole, name: string) => String(of(name, whole)));
}

/** Several texts without those of which nothing is left. */
export function fillEach(texts: readonly string[]): string[] {
  return texts.map((text) => fill(text)).filter(Boolean);
}

/** The same in every text of a value. */
export function fillAll<T>(value: T): T {
  return inAll(value, (text) => fill(text));
}

/** Texts in the clinic's form of address, which is known when one of them is read. */
export function inFormOfAddress<T extends object>(texts: T): T {
  return new Proxy(texts, {
    get: (target, key) => inAll(target[key as keyof T], addressed),
  });
}

function inAll<T>(value: T, change: (text: string) => string): T {
  if (typeof value === "string") return change(value) as T;
  if (Array.isArray(value)) return value.map((one) => inAll(one, change)) as T;
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, inAll(one, change)]),
  ) as T;
}
