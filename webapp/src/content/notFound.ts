/** The specification words this page in English. */
export { default as notFoundTexts } from "./pages/not-found.json";
