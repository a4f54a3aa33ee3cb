/** Texts of what surrounds every public page. */
export { default as siteTexts } from "./pages/site.json";
