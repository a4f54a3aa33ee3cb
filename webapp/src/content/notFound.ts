/** The specification words this page in English. */
export const notFoundTexts = {
  pageTitle: "404",
  heading: "404 Page Not Found",
  hint: "Did you forget to add the page to the router?",
  home: "Volver al inicio",
} as const;
