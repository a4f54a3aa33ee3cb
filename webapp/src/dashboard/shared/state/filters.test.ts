import { expect, it } from "vitest";
import { filterTexts } from "../../../content/dashboardFilters";
import {
  durationOf,
  durations,
  filterLabel,
  filterNames,
  filtersFromAddress,
  withAttention,
  withDuration,
  withFilter,
  without,
  withRated,
} from "./filters";

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

it.each(filterNames)("has words for %s", (name) => {
  expect(filterTexts).toHaveProperty(name);
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

it("sets and removes one filter", () => {
  expect(withFilter({ lead: true }, "hour", 0)).toEqual({ lead: true, hour: 0 });
  expect(withFilter({ lead: true, hour: 0 }, "lead", undefined)).toEqual({ hour: 0 });
});

it("takes away what means nothing without a filter", () => {
  const rated = { rated: "negative", ratedTopic: "precios", lead: true } as const;
  expect(without(rated, "rated")).toEqual({ lead: true });
  expect(without(rated, "lead")).toEqual({ rated: "negative", ratedTopic: "precios" });
  expect(withRated(rated, "positive")).toEqual({ lead: true, rated: "positive" });
  expect(filtersFromAddress(new URLSearchParams("tema-valorado=precios&lead=si"))).toEqual({
    lead: true,
  });
});

it("asks for any reason of attention, or for one", () => {
  const any = withAttention({ flag: "crisis" }, "any");
  expect(any).toEqual({ flagged: true });
  expect(withAttention(any, "callback")).toEqual({ flag: "callback" });
  expect(withAttention(any, undefined)).toEqual({});
});
