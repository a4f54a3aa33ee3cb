import { clinic, streetLine } from "./clinic";

/** The facts of the clinic that a text may name. */
const facts: Readonly<Record<string, () => string>> = {
  clinicName: () => clinic.name,
  tagline: () => clinic.tagline,
  phone1: () => clinic.phones[0].label,
  phone2: () => (clinic.phones[1] ?? clinic.phones[0]).label,
  email: () => clinic.email,
  emergency: () => clinic.emergency,
  bookingUrl: () => clinic.links.booking,
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

/** Puts values, and facts of the clinic, in the place of `{{name}}`. */
export function fill(text: string, values: Readonly<Record<string, string | number>> = {}): string {
  return addressed(text).replace(/\{\{(\w+)\}\}/g, (whole, name: string) =>
    String(values[name] ?? facts[name]?.() ?? whole),
  );
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
