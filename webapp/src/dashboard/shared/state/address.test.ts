import { expect, it } from "vitest";
import { addressOfView, type View, viewFromAddress, withFilter } from "./address";

const plain: View = {
  tab: "conversations",
  metric: "conversations",
  interval: undefined,
  compare: "previous",
  filters: {},
  everywhere: false,
  conversation: undefined,
  contactKind: undefined,
  contactStatus: undefined,
};

const rich: View = {
  tab: "analytics",
  metric: "leads",
  interval: "week",
  compare: "weekday",
  filters: {
    lead: true,
    appointment: false,
    unanswered: true,
    flagged: true,
    flag: "callback",
    outOfHours: true,
    topic: "precios",
    unansweredTopic: "-",
    maxDuration: 60,
    weekday: 7,
    hour: 0,
    q: "muela & más",
  },
  everywhere: true,
  conversation: "0c9f-1",
  contactKind: "message",
  contactStatus: "discarded",
};

const none = new URLSearchParams();

it("says nothing about the defaults", () => {
  expect(viewFromAddress(none)).toEqual(plain);
  expect(addressOfView(none, plain).toString()).toBe("");
});

it("says everything else, and reads it back", () => {
  const period = "desde=2026-11-01&hasta=2026-11-20";
  const address = addressOfView(new URLSearchParams(period), rich);
  expect(Object.fromEntries(address)).toEqual({
    desde: "2026-11-01",
    hasta: "2026-11-20",
    vista: "analiticas",
    metrica: "leads",
    intervalo: "semana",
    comparar: "semana",
    ambito: "todo",
    conversacion: "0c9f-1",
    origen: "formulario",
    estado: "descartado",
    lead: "si",
    cita: "no",
    "sin-respuesta": "si",
    atencion: "si",
    motivo: "contacto",
    "fuera-de-horario": "si",
    tema: "precios",
    "tema-sin-respuesta": "-",
    "duracion-hasta": "60",
    "dia-semana": "7",
    hora: "0",
    buscar: "muela & más",
  });
  expect(viewFromAddress(address)).toEqual(rich);
  expect(addressOfView(address, plain).toString()).toBe(period);
});

it.each([
  "vista=x&metrica=x&intervalo=x&comparar=x&ambito=x&conversacion=&origen=x&estado=x",
  "lead=quiza&cita=&tema=%20&buscar=",
  "tema-valorado=precios",
  "valoracion=buena&tema-valorado=precios",
  "hora=24&dia-semana=0&duracion-desde=-1&duracion-hasta=1e3",
])("takes %s for the defaults", (address) => {
  expect(viewFromAddress(new URLSearchParams(address))).toEqual(plain);
});

it("sets and removes one filter", () => {
  expect(withFilter({ lead: true }, "hour", 0)).toEqual({ lead: true, hour: 0 });
  expect(withFilter({ lead: true, hour: 0 }, "lead", undefined)).toEqual({ hour: 0 });
});
