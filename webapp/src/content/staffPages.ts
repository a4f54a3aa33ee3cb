/** How the staff's pages are named, by address. */
export { default as staffPages } from "./staff-pages.json";
