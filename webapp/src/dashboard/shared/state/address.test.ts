import { expect, it } from "vitest";
import { addressOfView, type View, viewFromAddress, withDays, withDrillDown } from "./address";

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

it("says other days first, and forgets the interval of those before", () => {
  const before = new URLSearchParams(
    "vista=contactos&intervalo=hora&desde=2026-11-20&hasta=2026-11-20",
  );
  const october = {
    from: { year: 2026, month: 10, day: 1 },
    to: { year: 2026, month: 10, day: 31 },
  };
  expect(withDays(before, october).toString()).toBe(
    "desde=2026-10-01&hasta=2026-10-31&vista=contactos",
  );
  expect(withDays(before, undefined).toString()).toBe("vista=contactos");
});

it("leads from a number to the list of its conversations", () => {
  const from = (address: string) => new URLSearchParams(address);
  const behind = { hour: 9 };
  expect(
    withDrillDown(from("vista=analiticas&metrica=leads&tema=precios"), behind).toString(),
  ).toBe("metrica=leads&hora=9");
  // Numbers of filtered conversations lead to these alone.
  expect(withDrillDown(from("tema=precios&ambito=todo"), behind).toString()).toBe(
    "tema=precios&ambito=todo&hora=9",
  );
  const day = { year: 2026, month: 11, day: 20 };
  expect(withDrillDown(from("intervalo=hora"), behind, { from: day, to: day }).toString()).toBe(
    "desde=2026-11-20&hasta=2026-11-20&hora=9",
  );
});
