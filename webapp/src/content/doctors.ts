import texts from "./pages/doctors.json";

/** Texts that the pages of all professionals share. */
export const doctorTexts = texts.labels;

/** The professionals with a page of their own. */
export const doctors = texts.doctors;
