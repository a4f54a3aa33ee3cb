/** Texts around every page of the staff. */
export const frameTexts = {
  navigation: "Páginas del panel",
  pages: {
    today: "Hoy",
    inbox: "Bandeja",
    agenda: "Agenda",
    data: "Datos",
    answers: "Respuestas",
    activity: "Actividad",
    accounts: "Cuentas",
    account: "Mi cuenta",
  },
};
