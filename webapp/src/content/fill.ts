import { clinic } from "./clinic";

/** Of every pair like `{puedes|puede}` leaves the word of the clinic's form of address. */
export function addressed(text: string): string {
  const word = clinic.formOfAddress === "usted" ? "$2" : "$1";
  return text.replace(/\{([^{}|]*)\|([^{}|]*)\}/g, word);
}

/** Puts values, and the clinic's name, in the place of `{{name}}`; the server knows all other facts. */
export function fill(text: string, values: Readonly<Record<string, string | number>> = {}): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) =>
    String(values[name] ?? (name === "clinicName" ? clinic.name : whole)),
  );
}
