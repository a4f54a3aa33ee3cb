/** Texts of the page about the clinic. */
export { default as aboutTexts } from "./pages/about.json";
