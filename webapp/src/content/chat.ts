/** Texts of the chat. */
export { default as chatTexts } from "./pages/chat.json";
