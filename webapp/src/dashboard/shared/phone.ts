/** Where a phone number is called; undefined for what has no digits. */
export function callAddress(phone: string | undefined): string | undefined {
  const dialled = phone?.replaceAll(/[^+\d]/g, "");
  return dialled ? `tel:${dialled}` : undefined;
}

/** How many digits a number has at least that is written with the country's code. */
const fewestAbroad = 11;

/**
 * Where somebody with a phone number is written to. A number without its country's code is one of the clinic's
 * country, whose code the clinic's own phones have; undefined for what is no such number.
 */
export function whatsappAddress(phone: string | undefined, own: string): string | undefined {
  const digits = phone?.replaceAll(/\D/g, "") ?? "";
  const [, code = ""] = /^\+(\d{1,3})\b/.exec(own) ?? [];
  if (phone?.trim().startsWith("+")) {
    return digits.length >= 8 ? `https://wa.me/${digits}` : undefined;
  }
  if (code && digits.startsWith(code) && digits.length >= fewestAbroad)
    return `https://wa.me/${digits}`;
  return code && digits.length >= 7 ? `https://wa.me/${code}${digits}` : undefined;
}
