import { clinic } from "./clinic";

/** The facts of the clinic that a text may name. */
function fact(name: string): string | undefined {
  switch (name) {
    case "clinicName":
      return clinic.name;
    case "phone1":
      return clinic.phones[0].label;
    case "phone2":
      return (clinic.phones[1] ?? clinic.phones[0]).label;
    case "email":
      return clinic.email;
    case "bookingUrl":
      return clinic.bookingUrl;
    default:
      return undefined;
  }
}

/** Puts values, and facts of the clinic, in the place of `{{name}}`. */
export function fill(text: string, values: Readonly<Record<string, string | number>> = {}): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) =>
    String(values[name] ?? fact(name) ?? whole),
  );
}
