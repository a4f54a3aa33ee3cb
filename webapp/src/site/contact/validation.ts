/** What the visitor has written. */
export interface ContactForm {
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly message: string;
}

export type ContactField = keyof ContactForm;

/** What is wrong with which field. */
export type ContactErrors = Partial<Record<ContactField, string>>;

/** The server takes no longer message. */
export const messageLimit = 5000;

const nameMinimum = 2;
const messageMinimum = 10;
const emailPattern = /^[^\s@<>(),;:"[\]\\]+@[^\s@.<>(),;:"[\]\\]+(\.[^\s@.<>(),;:"[\]\\]+)+$/;

/** The number of characters as people count them, more or less: an emoji is one. */
function lengthOf(text: string): number {
  return Array.from(text.trim()).length;
}

/** What has to be put right before the form is sent; empty when nothing. */
export function contactErrors(
  { name, email, message }: ContactForm,
  errors: Readonly<Record<"name" | "email" | "message", string>>,
): ContactErrors {
  return {
    ...(lengthOf(name) < nameMinimum && { name: errors.name }),
    ...(!emailPattern.test(email.trim()) && { email: errors.email }),
    ...(lengthOf(message) < messageMinimum && { message: errors.message }),
  };
}
