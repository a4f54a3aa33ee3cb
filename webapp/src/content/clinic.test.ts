import { afterEach, expect, it } from "vitest";
import { adoptClinic, clinic, openingHours } from "./clinic";
import { fill } from "./fill";

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
  expect(lines[0]).toMatchObject({ weekdays: [1, 2], opens: 480, closes: 720 });
  expect(lines[2]?.opens).toBeUndefined();
});

it("says the hours of the specification", () => {
  expect(clinic.hours.map(({ days }) => days)).toEqual(["Lunes a viernes", "Sábado", "Domingo"]);
  expect(clinic.hours[0]).toMatchObject({ opens: 480, closes: 1140 });
  expect(clinic.hours[1]).toMatchObject({ opens: 540, closes: 900, weekdays: [6] });
});

it("takes over what the server tells, also into texts", () => {
  adoptClinic({
    name: "Clínica Dos",
    tagline: "x",
    address: { street: "Calle 1", building: "Torre 2", floor: "piso 3", city: "David" },
    phones: [{ label: "+507 200-0202", href: "tel:+5072000202" }],
    email: "a@b.example",
    links: { booking: "https://r.example/", video: "", map: "" },
    hours: [],
  });
  expect(clinic.address).toEqual({ street: "Calle 1, Torre 2", floor: "Piso 3", city: "David" });
  expect(fill("{{clinicName}}: {{phone1}}, {{n}} de {{total}}, {{nada}}", { n: 1, total: 4 })).toBe(
    "Clínica Dos: +507 200-0202, 1 de 4, {{nada}}",
  );
});
