import type { ReactNode } from "react";
import { clinic } from "../content/clinic";
import { ButtonLink, type ButtonLinkProps, ExternalButtonLink } from "../ui/Button";

interface BookingLinkProps extends Pick<ButtonLinkProps, "className" | "size" | "variant"> {
  readonly children: ReactNode;
}

/**
 * The way to an appointment: the external scheduling form, in a new tab. Until the clinic has one it
 * is the chat, and where there is no chat, or no script, the contact form.
 */
export function BookingLink(props: BookingLinkProps) {
  const { booking } = clinic.links;
  if (booking) return <ExternalButtonLink {...props} href={booking} />;
  return <ButtonLink {...props} data-booking="" href="/contact#mensaje" />;
}
