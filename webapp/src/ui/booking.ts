/** What the chat does to begin a booking, while there is a chat. */
let begin: (() => void) | undefined;

/** Says how a booking begins; gives what takes it back. */
export function offerBooking(how: () => void): () => void {
  begin = how;
  return () => {
    if (begin === how) begin = undefined;
  };
}

/** Begins a booking in the chat, and says whether there is a chat to do it. */
export function beginBooking(): boolean {
  begin?.();
  return begin !== undefined;
}
