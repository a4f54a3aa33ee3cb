import { expect, it } from "vitest";
import { durationOf, durations, filterLabel, withDuration } from "./filters";

it.each([
  [{ lead: true }, "lead", "Con lead"],
  [{ appointment: false }, "appointment", "Sin cita"],
  [{ flagged: true }, "flagged", "Pide atención"],
  [{ flag: "complaint" }, "flag", "Queja"],
  [{ topic: "precios" }, "topic", "Tema: Precios"],
  [{ topic: "sedacion-consciente" }, "topic", "Tema: Sedacion consciente"],
  [{ unansweredTopic: "-" }, "unansweredTopic", "Sin respuesta sobre: Sin tema"],
  [{ weekday: 7 }, "weekday", "Domingo"],
  [{ hour: 9 }, "hour", "De 09:00 a 10:00"],
  [{ minDuration: 1200 }, "minDuration", "Desde 1,200 s"],
  [{ q: "muela" }, "q", "«muela»"],
  [{}, "lead", undefined],
] as const)("words %j", (filters, name, label) => {
  expect(filterLabel(filters, name)).toBe(label);
});

it("knows the lengths by name", () => {
  for (const name of durations) {
    const filters = withDuration({ lead: true }, name);
    expect(filters.lead).toBe(true);
    expect(durationOf(filters)).toBe(name);
    expect(withDuration(filters, undefined)).toEqual({ lead: true });
  }
  expect(durationOf({ minDuration: 7 })).toBeUndefined();
});
