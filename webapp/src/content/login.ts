export const loginTexts = {
  pageTitle: "Acceso al Dashboard",
  title: "Acceso al Dashboard",
  subtitle: "Panel de control del chatbot dental",
  email: "Correo electrónico",
  password: "Contraseña",
  submit: "Iniciar sesión",
  pending: "Iniciando sesión...",
  backToSite: "Volver al sitio",
  missing: {
    title: "Campos requeridos",
    description: "Por favor complete todos los campos",
  },
  refused: { title: "Error de acceso", description: "Credenciales inválidas" },
  unreachable: {
    title: "Error de acceso",
    description: "No hay conexión con el servidor. Por favor, intente de nuevo.",
  },
  welcome: { title: "Acceso exitoso", description: "Bienvenido al dashboard" },
} as const;
