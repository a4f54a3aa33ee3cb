import { expect, it } from "vitest";
import { formatMetric } from "../../content/dashboardKpis";
import type { Timeseries, TimeseriesPoint } from "./queries";
import { bucketsOf, csvOf, daysOfBucket, deltaOfMetric, totalsOf } from "./series";

const numbers = (conversations: number) => ({
  conversations,
  messages: conversations * 10,
  leads: 1,
  appointments: 0,
  conversionRate: null,
  avgMessagesPerConversation: null,
  avgConversationDuration: null,
  approval: conversations === 0 ? null : 93.33,
  unansweredRate: null,
  firstContact: 5400,
});

function day(date: number, count: number, more: Partial<TimeseriesPoint> = {}): TimeseriesPoint {
  const next = String(date + 1).padStart(2, "0");
  return {
    startDate: `2026-11-${String(date).padStart(2, "0")}T05:00:00.000Z`,
    endDate: `2026-11-${next}T04:59:59.999Z`,
    partial: false,
    clipped: false,
    future: false,
    holidays: [],
    refusals: 0,
    numbers: numbers(count),
    ...more,
  };
}

const previous = {
  startDate: "2026-11-14T05:00:00.000Z",
  endDate: "2026-11-15T04:59:59.999Z",
  numbers: numbers(4),
};

const series: Timeseries = {
  interval: "day",
  intervals: ["hour", "day"],
  zone: "America/Panama",
  points: [
    day(17, 5, { previous }),
    day(18, 0),
    day(19, 8),
    day(20, 3, { partial: true }),
    day(21, 0, { future: true }),
  ],
  total: numbers(16),
  previousTotal: numbers(4),
  notes: [],
  dataThrough: { position: 7 },
};

it("draws what is over as a line, what is in progress dashed, and nothing ahead", () => {
  const buckets = bucketsOf(series, "conversations");
  expect(buckets.map(({ complete }) => complete)).toEqual([5, 0, 8, null, null]);
  expect(buckets.map(({ dashed }) => dashed)).toEqual([null, null, 8, 3, null]);
  expect(buckets.map(({ previous }) => previous)).toEqual([4, null, null, null, null]);
  expect(buckets[0]).toMatchObject({
    name: "17 nov 2026",
    shortName: "17 nov",
    previousName: "14 nov 2026",
  });
});

it("draws a bucket of which the period holds a part dashed, too", () => {
  const clipped = [day(17, 5, { clipped: true }), day(18, 6), day(19, 8)];
  const buckets = bucketsOf({ ...series, points: clipped }, "conversations");
  expect(buckets.map(({ complete }) => complete)).toEqual([null, 6, 8]);
  expect(buckets.map(({ dashed }) => dashed)).toEqual([5, 6, null]);
});

it("adds up", () => {
  const totals = totalsOf(series, "messages", bucketsOf(series, "messages"));
  expect(totals).toMatchObject({ value: 160, previous: 40, highest: { name: "19 nov 2026" } });
  const { previousTotal: _, ...alone } = { ...series, points: [day(18, 0)], total: numbers(0) };
  expect(totalsOf(alone, "messages", bucketsOf(alone, "messages"))).toEqual({
    value: 0,
    previous: undefined,
    highest: undefined,
  });
});

it("draws a rate where there is something to rest on, and takes its whole from the server", () => {
  const buckets = bucketsOf(series, "approval");
  expect(buckets.map(({ value }) => value)).toEqual([93.33, null, 93.33, 93.33, null]);
  const totals = totalsOf(series, "approval", buckets);
  expect(totals).toMatchObject({ value: 93.33, previous: 93.33 });
  expect(deltaOfMetric("approval", 93.33, 90)).toEqual({ direction: "up", text: "+3.3\u00a0pp" });
  expect(deltaOfMetric("firstContact", 5400, 7200).text).toBe("−25.0%");
  expect(formatMetric("firstContact", 5400)).toBe("1.5 h");
});

it("names buckets by the calendar of their zone", () => {
  const point = day(17, 5, {
    startDate: "2026-11-16T23:00:00.000Z",
    endDate: "2026-11-17T22:59:59.999Z",
  });
  const madrid = { ...series, zone: "Europe/Madrid", points: [point] };
  const [bucket] = bucketsOf(madrid, "conversations");
  expect(bucket).toMatchObject({ name: "17 nov 2026", shortName: "17 nov" });
  expect(csvOf(madrid)).toContain("2026-11-17 00:00,2026-11-17 23:59,");
  const date = { year: 2026, month: 11, day: 17 };
  expect(daysOfBucket(point, madrid.zone)).toEqual({ from: date, to: date });
});

it("zooms into the days of the business zone", () => {
  expect(daysOfBucket(day(17, 5))).toEqual({
    from: { year: 2026, month: 11, day: 17 },
    to: { year: 2026, month: 11, day: 17 },
  });
});

it("marks what may explain a value", () => {
  const points = [
    day(17, 5, { holidays: ["Feriado", ""] }),
    day(18, 1, { refusals: 52 }),
    day(19, 2),
  ];
  const taught = [{ slug: "cuotas", at: "2026-11-18T15:00:00.000Z" }];
  const buckets = bucketsOf({ ...series, points }, "conversations", taught);
  expect(buckets.map(({ marks }) => marks.map(({ sign }) => sign).join(" "))).toEqual([
    "F",
    "L +1",
    "",
  ]);
  expect(buckets.flatMap(({ marks }) => marks.map(({ words }) => words))).toEqual([
    "Feriado, Horario especial",
    "Límite del mes alcanzado; sin atender: 52",
    "Se enseñó: cuotas",
  ]);
});

it("becomes a file", () => {
  const lines = csvOf(series).split("\r\n");
  expect(lines[0]).toBe(
    "\uFEFFinicio,fin,conversaciones,mensajes,leads,citas,aprobacion,sin-informacion,primer-contacto",
  );
  expect(lines[1]).toBe("2026-11-17 00:00,2026-11-17 23:59,5,50,1,0,93.3,,5400");
  expect(lines).toHaveLength(6);
  const compared = csvOf({ ...series, comparison: { startDate: "", endDate: "" } });
  expect(compared.split("\r\n")[0]).toMatch(
    /,primer-contacto,conversaciones anterior,.*,primer-contacto anterior$/,
  );
  expect(compared.split("\r\n")[1]).toBe(
    "2026-11-17 00:00,2026-11-17 23:59,5,50,1,0,93.3,,5400,4,40,1,0,93.3,,5400",
  );
});

it("marks a note where it begins, or where the chart does", () => {
  const note = (id: string, startDay: string, endDay: string) => ({
    id,
    startDay,
    endDay,
    text: id,
  });
  const notes = [
    note("antes", "2026-11-10", "2026-11-18"),
    note("campaña", "2026-11-18", "2026-11-19"),
    note("obra", "2026-11-19", "2026-11-19"),
  ];
  const marked = bucketsOf({ ...series, notes }, "conversations").map(({ marks }) =>
    marks.map(({ words }) => words).join(),
  );
  expect(marked).toEqual([
    "antes (10 nov 2026 – 18 nov 2026)",
    "campaña (18 nov 2026 – 19 nov 2026)",
    "obra",
    "",
    "",
  ]);
});
