import { inFormOfAddress } from "./fill";
import texts from "./pages/chat.json";

/** Texts of the chat. */
export const chatTexts = inFormOfAddress(texts);
