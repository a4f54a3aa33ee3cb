/** Texts of the blog. */
export { default as blogTexts } from "./pages/blog.json";
