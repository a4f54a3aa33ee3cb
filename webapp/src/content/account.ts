import { formatCounted } from "./numbers";

/** Texts of the pages of accounts. */
export const accountTexts = {
  title: "Mi cuenta",
  subtitle: "Contraseña y sesiones",
  navigation: "Páginas del panel",
  dashboard: "Dashboard",
  roles: {
    staff: { name: "Personal", explained: "Trabaja con todo lo que muestra el panel." },
    owner: { name: "Administración", explained: "Además administra las cuentas." },
    reader: { name: "Solo cifras", explained: "Ve cifras, sin conversaciones ni contactos." },
  },
  password: {
    title: "Cambiar la contraseña",
    hint: "De 12 a 128 caracteres; una frase es más fácil de recordar. Las demás sesiones se cierran.",
    current: "Contraseña actual",
    next: "Contraseña nueva",
    again: "Contraseña nueva, otra vez",
    save: "Cambiar contraseña",
    saving: "Cambiando…",
    missing: "Complete los tres campos.",
    differ: "Las dos contraseñas nuevas no coinciden.",
    failure: "No se pudo cambiar la contraseña.",
    saved: { title: "Contraseña cambiada", description: "Las demás sesiones se cerraron." },
  },
  sessions: {
    title: "Sesiones abiertas",
    hint: "Navegadores en los que entró con esta cuenta. Si no reconoce alguno, ciérrelo y cambie la contraseña.",
    loading: "Cargando sesiones",
    failure: "No se pudieron cargar las sesiones.",
    unknown: "Navegador desconocido",
    current: "Esta sesión",
    lastSeen: "Último uso:",
    since: "Desde:",
    end: "Cerrar",
    endOf: (browser: string) => `Cerrar la sesión de ${browser}`,
    endOthers: "Cerrar todas las demás",
    none: "No hay otras sesiones abiertas.",
    endFailure: "No se pudo cerrar.",
    ended: "Sesión cerrada",
    othersEnded: "Las demás sesiones se cerraron",
  },
  confirm: { yes: "Sí", no: "No" },
} as const;

/** Texts of the page on which owners manage accounts. */
export const accountsTexts = {
  title: "Cuentas",
  subtitle: "Quién puede entrar y qué puede hacer",
  loading: "Cargando cuentas",
  failure: "No se pudieron cargar las cuentas.",
  list: "Cuentas de la clínica",
  you: "Usted",
  since: "Desde:",
  sessions: (count: number) =>
    count === 0
      ? "Sin sesiones abiertas"
      : formatCounted(count, "sesión abierta", "sesiones abiertas"),
  role: "Permiso",
  roleOf: (email: string) => `Permiso de ${email}`,
  saveRole: "Guardar permiso",
  endSessions: "Cerrar sesiones",
  endSessionsOf: (email: string) => `Cerrar las sesiones de ${email}`,
  sureEnd: (email: string) => `¿Cerrar todas las sesiones de ${email}?`,
  remove: "Quitar cuenta",
  removeOf: (email: string) => `Quitar la cuenta ${email}`,
  sureRemove: (email: string) => `¿Quitar la cuenta ${email}? Ya no podrá entrar.`,
  changeFailure: "No se pudo cambiar la cuenta.",
  roleSaved: "Permiso cambiado",
  sessionsEnded: "Sesiones cerradas",
  removed: "Cuenta quitada",
  add: {
    title: "Agregar una cuenta",
    hint: "Entregue la contraseña en persona; quien la recibe puede cambiarla en «Mi cuenta».",
    email: "Correo electrónico",
    password: "Primera contraseña",
    save: "Agregar cuenta",
    saving: "Agregando…",
    missing: "Complete el correo y la contraseña.",
    failure: "No se pudo agregar la cuenta.",
    saved: "Cuenta agregada",
  },
} as const;
