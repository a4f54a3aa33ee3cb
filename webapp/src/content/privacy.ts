/** Texts of the page about personal data, beside the notice that the server sends. */
export { default as privacyTexts } from "./pages/privacy.json";
