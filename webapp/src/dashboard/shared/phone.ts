/** Where a phone number is called; undefined for what has no digits. */
export function callAddress(phone: string | undefined): string | undefined {
  const dialled = phone?.replaceAll(/[^+\d]/g, "");
  return dialled ? `tel:${dialled}` : undefined;
}

/** Where somebody with a phone number is written to. */
export const whatsappAddress = (phone: string) => `https://wa.me/${phone.replaceAll(/\D/g, "")}`;
