export const loginTexts = {
  pageTitle: "Acceso al Dashboard",
  title: "Acceso al Dashboard",
  subtitle: "Panel de control del chatbot dental",
  email: "Correo electrónico",
  password: "Contraseña",
  submit: "Iniciar sesión",
  pending: "Iniciando sesión...",
  code: {
    label: "Código",
    hint: "Los seis dígitos que muestra su aplicación de códigos, o uno de sus códigos de recuperación.",
    submit: "Entrar",
    back: "Usar otra cuenta",
    missing: { title: "Campos requeridos", description: "Escriba el código" },
    refused: {
      title: "Error de acceso",
      description: "Credenciales inválidas. Espere a que la aplicación muestre otro código.",
    },
  },
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
  sessionOpen:
    "No se pudo cerrar la sesión en el servidor: puede seguir abierta en este navegador. No lo deje sin vigilancia.",
  closed: { title: "Sesión cerrada", description: "La sesión también se cerró en el servidor." },
  welcome: { title: "Acceso exitoso", description: "Bienvenido al dashboard" },
} as const;
