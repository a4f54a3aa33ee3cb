/** Texts of the contact page. */
export { default as contactTexts } from "./pages/contact.json";
