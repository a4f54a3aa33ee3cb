export { default as homeTexts } from "./pages/home.json";
