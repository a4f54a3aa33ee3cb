import texts from "./pages/services.json";

export const serviceListTexts = texts.list;
export const serviceDetailTexts = texts.detail;
