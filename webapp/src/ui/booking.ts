/** How long a visitor who wants the chat waits for it before the contact form is opened, in ms. */
const bookingPatience = 10_000;

/** A link to an appointment, or to a question in the chat. */
const marked = "a[data-booking], a[data-ask]";

/** What a press of such a link does; undefined while the chat may still come. */
let begin: ((link: HTMLAnchorElement) => void) | "no chat" | undefined;
/** The link that was pressed before that was known. */
let pressed: HTMLAnchorElement | undefined;

/** Says what the chat does with a pressed link; gives what takes it back. */
export function offerBooking(how: (link: HTMLAnchorElement) => void): () => void {
  begin = how;
  if (pressed) how(pressed);
  pressed = undefined;
  return () => {
    if (begin === how) begin = undefined;
  };
}

/** Says that there is no chat: the links lead to the contact form. */
export function refuseBooking(): () => void {
  begin = "no chat";
  if (pressed) window.location.assign(pressed.href);
  pressed = undefined;
  return () => {
    if (begin === "no chat") begin = undefined;
  };
}

/**
 * Leads each press of a link marked `data-booking` or `data-ask` to the chat. One that comes before the chat is
 * kept until it is there, or opens the contact form after `bookingPatience`.
 */
export function watchBookingLinks(): void {
  // Before React, which has not taken the page over yet.
  window.addEventListener("click", keep, { capture: true });
}

function keep(event: MouseEvent): void {
  const link = event.target instanceof Element && event.target.closest(marked);
  const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  if (!(link instanceof HTMLAnchorElement) || elsewhere || begin === "no chat") return;
  event.preventDefault();
  if (begin) {
    begin(link);
    return;
  }
  if (!pressed) setTimeout(() => pressed && window.location.assign(pressed.href), bookingPatience);
  pressed = link;
}
