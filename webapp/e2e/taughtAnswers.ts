/** What the server says about what the staff taught. */
import type { components } from "../src/api/schema.gen";

export type TaughtAnswer = components["schemas"]["TaughtAnswer"];

export const version = {
  version: 1,
  topic: "clinica",
  service: "",
  aspect: "",
  questions: ["¿hay agua?", "dispensador"],
  text: "Sí, en la sala de espera. Más en el {{phones}}.",
  english: "",
  by: "ana@clinica.example",
  at: "2026-11-19T15:00:00.000Z",
  reason: "Lo preguntan cada semana.",
};
export const undone = {
  by: "luis@clinica.example",
  at: "2026-11-20T15:00:00.000Z",
  reason: "No es así.",
};
export const taught: TaughtAnswer = {
  slug: "agua-filtrada",
  version: 2,
  since: version.at,
  replaced: false,
  uses: 12,
  before: { replies: 200, unanswered: 30, rate: 15 },
  after: { replies: 100, unanswered: 8, rate: 8 },
  versions: [{ ...version, version: 2, text: "Sí, en cada piso." }, version],
};

export const form = {
  topics: ["clinica", "limpieza"],
  services: [{ slug: "endodoncia", title: "Endodoncia" }],
  aspects: ["costo", "dolor"],
  facts: [
    { name: "{{hours}}", value: "lunes a viernes de 8:00 a 19:00" },
    { name: "{{phones}}", value: "+507 200-0101 o al +507 6000-0101" },
  ],
  maxText: 600,
  maxQuestion: 200,
};
