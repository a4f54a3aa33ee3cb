/** Words of the interface that belong to no single page. */
export const interfaceTexts = {
  close: "Cerrar",
  dismissNotification: "Cerrar notificación",
  notifications: "Notificaciones",
  loading: "Cargando…",
  retry: "Reintentar",
  partFailure: "No se pudo mostrar esta parte de la página.",
  partFailureReason: "Puede que la página se haya actualizado. «Reintentar» la carga de nuevo.",
  /** Follows a sentence that says what failed. */
  reference: (requestId: string) => `Referencia: ${requestId}`,
  newTab: "(se abre en una pestaña nueva)",
  skipToContent: "Saltar al contenido",
} as const;
