import { expect, it } from "vitest";
import { folded } from "./folded";

it.each([
  ["Rehabilitación oral", "rehabilitacion oral"],
  ["DISEÑO", "diseno"],
  ["pingu\u0308ino", "pinguino"],
  ["¿Sí? 2", "¿si? 2"],
])("folds %s to %s", (text, plain) => {
  expect(folded(text)).toBe(plain);
});
