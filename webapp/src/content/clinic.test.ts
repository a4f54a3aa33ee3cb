import { afterEach, expect, it } from "vitest";
import { addressLine, clinic, floorAndCity, openingHours, setClinic, streetLine } from "./clinic";
import { formatTime } from "./dates";
import { addressed, fill } from "./fill";

const before = { ...clinic };
afterEach(() => {
  Object.assign(clinic, before);
});

it("puts days with the same hours on one line", () => {
  const lines = openingHours([
    { day: 1, spans: [{ opens: "08:00", closes: "12:00" }] },
    { day: 2, spans: [{ opens: "08:00", closes: "12:00" }] },
    {
      day: 3,
      spans: [
        { opens: "08:30", closes: "12:00" },
        { opens: "13:00", closes: "18:00" },
      ],
    },
    { day: 7, spans: [] },
  ]);
  const plain = lines.map(({ days, hours }) => `${days}: ${hours.replaceAll("\u00a0", " ")}`);
  expect(plain).toEqual([
    "Lunes y martes: 8 a. m. – 12 p. m.",
    "Miércoles: 8:30 a. m. – 12 p. m., 1 p. m. – 6 p. m.",
    "Domingo: Cerrado",
  ]);
  expect(lines[0]).toMatchObject({
    weekdays: [1, 2],
    spans: [{ opens: "08:00", closes: "12:00" }],
  });
  expect(lines[2]?.spans).toEqual([]);
});

it("names two days by both, and no more", () => {
  const spans = [{ opens: "10:00", closes: "14:00" }];
  const days = openingHours([5, 6, 7].map((day) => ({ day, spans: day === 5 ? [] : spans })));
  expect(days.map(({ days }) => days)).toEqual(["Viernes", "Sábado y domingo"]);
  const week = openingHours([1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, spans })));
  expect(week.map(({ days }) => days)).toEqual(["Lunes a domingo"]);
});

it("says the hours of the specification", () => {
  expect(clinic.hours.map(({ days }) => days)).toEqual(["Lunes a viernes", "Sábado", "Domingo"]);
  expect(clinic.hours[0]).toMatchObject({ spans: [{ opens: "08:00", closes: "19:00" }] });
  expect(clinic.hours[1]).toMatchObject({
    spans: [{ opens: "09:00", closes: "15:00" }],
    weekdays: [6],
  });
});

it("takes over what the server tells, also into texts", () => {
  setClinic({
    name: "Clínica Dos",
    tagline: "x",
    formOfAddress: "usted",
    locale: "es-ES",
    privacyLaw: "ley del país",
    founded: 1999,
    address: { street: "Calle 1", building: "Torre 2", floor: "piso 3", city: "David" },
    phones: [{ label: "+507 200-0202", href: "tel:+5072000202" }],
    email: "a@b.example",
    emergency: "112",
    zone: "Europe/Madrid",
    offsets: [[1_774_746_000_000, 7_200_000]],
    links: { booking: "https://r.example/", video: "", map: "", mapPage: "", social: [] },
    requestDays: 10,
    hours: [],
    specialDays: [],
    facts: [],
    images: {},
    payment: { methods: [], currencies: [] },
    languages: [],
  });
  expect(streetLine(clinic.address)).toBe("Calle 1, Torre 2");
  expect(floorAndCity(clinic.address)).toBe("Piso 3, David");
  expect(addressLine({ ...clinic.address, building: "", floor: "" })).toBe("Calle 1");
  expect(formatTime(new Date("2026-07-01T10:00:00Z"))).toBe("12:00");
  expect(fill("{{clinicName}}: {{n}} de {{total}}, {{nada}}", { n: 1, total: 4 })).toBe(
    "Clínica Dos: 1 de 4, {{nada}}",
  );
  expect(addressed("{Llámanos|Llámenos} hoy")).toBe("Llámenos hoy");
});
