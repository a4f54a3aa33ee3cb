import { expect, it } from "vitest";
import { cutAtHits, folded } from "./folded";

it.each([
  ["Rehabilitación oral", "rehabilitacion oral"],
  ["DISEÑO", "diseno"],
  ["pingu\u0308ino", "pinguino"],
  ["¿Sí? 2", "¿si? 2"],
])("folds %s to %s", (text, plain) => {
  expect(folded(text)).toBe(plain);
});

it.each([
  ["¿Atienden los sábados?", "SABADO", ["¿Atienden los ", "sábado", "s?"]],
  ["Sabado y SÁBADO", "sábado", ["", "Sabado", " y ", "SÁBADO", ""]],
  ["pingu\u0308ino", "güi", ["pin", "güi", "no"]],
  ["una seña", "sena", ["una ", "seña", ""]],
  ["¿cuánto? (50 %) [a.b]", "(50 %) [a.", ["¿cuánto? ", "(50 %) [a.", "b]"]],
  ["axb", "a.b", ["axb"]],
  ["👍🏽 gracias", " 👍🏽 ", ["", "👍🏽", " gracias"]],
  ["Nada de eso", "muela", ["Nada de eso"]],
  ["todo", " ", ["todo"]],
  ["todo", "\u0301", ["todo"]],
])("cuts %j at %j", (text, words, pieces) => {
  expect(cutAtHits(text, words)).toEqual(pieces);
});
