import type texts from "../../../domain/clinic/content/pages/chat.json";

export type ChatTexts = typeof texts;

/** Texts of the chat, once they are set. */
export const chatTexts = {} as ChatTexts;

/** Sets the texts that the server sent. */
export function setChatTexts(texts: ChatTexts): void {
  Object.assign(chatTexts, texts);
}
