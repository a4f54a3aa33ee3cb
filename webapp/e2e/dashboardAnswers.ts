/** What the server says about a period beyond its four numbers; it adds up to them. */
import type { components } from "../src/api/schema.gen";

type Schemas = components["schemas"];

const dataThrough = { position: 48211, time: "2026-11-20T23:41:07.120Z" };
const dayLength = 24 * 60 * 60 * 1000;
const end = Date.parse("2026-11-20T23:41:07.000Z");
const midnight = Date.parse("2026-11-20T05:00:00.000Z");

function bucketNumbers(conversations: number, leads: number, appointments: number, messages = 0) {
  return {
    conversations,
    messages: messages || conversations * 12,
    leads,
    appointments,
    conversionRate: conversations === 0 ? null : (100 * leads) / conversations,
    avgMessagesPerConversation: conversations === 0 ? null : 12,
    avgConversationDuration: conversations === 0 ? null : 134,
    approval: leads > 10 ? 80 + (leads % 5) : null,
    unansweredRate: conversations === 0 ? null : 2.5,
    firstContact: appointments === 0 ? null : 1800 * appointments,
  };
}

/** 30 days with quiet Sundays, the last one in progress: 1284 conversations, 341 leads, 128 appointments. */
const days: Schemas["TimeseriesPoint"][] = Array.from({ length: 30 }, (_, index) => {
  const start = midnight - (29 - index) * dayLength;
  const weekday = new Date(start).getUTCDay();
  const busy = weekday === 0 ? 18 : 46 + ((index * 7) % 5) - (weekday === 6 ? 14 : 0);
  const last = index === 29;
  const [conversations, leads, appointments, messages] = last
    ? [1284, 341, 128, 15731]
    : [busy, Math.round(busy / 4), Math.round(busy / 11), busy * 12];
  const before = start - 30 * dayLength;
  return {
    startDate: new Date(start).toISOString(),
    endDate: new Date(last ? end : start + dayLength - 1).toISOString(),
    partial: last,
    clipped: index === 0,
    future: false,
    holidays: index === 12 ? ["Día de la Independencia"] : [],
    refusals: index === 9 ? 52 : 0,
    numbers: bucketNumbers(conversations, leads, appointments, messages),
    previous: {
      startDate: new Date(before).toISOString(),
      endDate: new Date(before + dayLength - 1).toISOString(),
      numbers: bucketNumbers(busy - 6 + (index % 4), Math.round(busy / 5), Math.round(busy / 14)),
    },
  };
});

/** The last day takes what the others leave of the totals. */
const points = days.map((point, index) => {
  if (index < days.length - 1) return point;
  const left = { ...point.numbers };
  for (const { numbers } of days.slice(0, -1)) {
    left.conversations -= numbers.conversations;
    left.messages -= numbers.messages;
    left.leads -= numbers.leads;
    left.appointments -= numbers.appointments;
  }
  return { ...point, numbers: left };
});

export const timeseries: Schemas["Timeseries"] = {
  interval: "day",
  intervals: ["day", "week"],
  zone: "America/Panama",
  points,
  total: { ...bucketNumbers(1284, 341, 128, 15731), approval: 81.4, firstContact: 7_560 },
  previousTotal: { ...bucketNumbers(1146, 276, 0, 15990), approval: 79.3 },
  comparison: { startDate: "2026-09-22T23:41:07.000Z", endDate: "2026-10-21T23:41:06.999Z" },
  notes: [
    { id: "n1", startDay: "2026-11-02", endDay: "2026-11-15", text: "Campaña de ortodoncia" },
  ],
  dataThrough,
};

export const funnel: Schemas["Funnel"] = {
  steps: [
    { step: "visit", count: 21_400, share: 100, fromPrevious: null },
    { step: "opening", count: 3210, share: 15, fromPrevious: 15 },
    { step: "conversation", count: 1284, share: 6, fromPrevious: 40 },
    { step: "consent", count: 402, share: 1.879, fromPrevious: 31.308 },
    { step: "lead", count: 341, share: 1.593, fromPrevious: 84.826 },
    { step: "appointment", count: 128, share: 0.598, fromPrevious: 37.537 },
  ],
  startDate: "2026-10-22T23:41:07.000Z",
  visitsSince: "2026-09-01T05:00:03.000Z",
  dataThrough,
};

const ratingRow = (topic: string, positive: number, negative: number): Schemas["RatingRow"] => ({
  topic,
  positive,
  negative,
  approval: (100 * positive) / (positive + negative),
  pleased: positive,
  displeased: negative - 1,
});

export const ratings: Schemas["Ratings"] = {
  all: ratingRow("", 96, 22),
  topics: [ratingRow("seguros", 4, 8), ratingRow("precios", 20, 11), ratingRow("-", 72, 3)],
  dataThrough,
};

const weekdays = [1, 2, 3, 4, 5, 6, 7];
const hours = Array.from({ length: 24 }, (_, hour) => hour);

function openMinutes(weekday: number, hour: number): number {
  if (weekday === 7) return 0;
  const [opens, closes] = weekday === 6 ? [9, 15] : [8, 19];
  return hour >= opens && hour < closes ? 60 : 0;
}

export const heatmap: Schemas["Heatmap"] = {
  zone: "America/Panama",
  hours: weekdays.map((day) => ({
    day,
    spans:
      day === 7
        ? []
        : [{ opens: day === 6 ? "09:00" : "08:00", closes: day === 6 ? "15:00" : "19:00" }],
  })),
  cells: weekdays.flatMap((weekday) =>
    hours.map((hour) => {
      const awake = Math.max(0, 18 - Math.abs(hour - 14) * 2) + (hour >= 20 ? 6 : 0);
      const conversations = weekday === 7 ? Math.floor(awake / 3) : awake;
      return {
        weekday,
        hour,
        conversations,
        leads: Math.floor(conversations / 4),
        appointments: Math.floor(conversations / 9),
        openMinutes: openMinutes(weekday, hour),
      };
    }),
  ),
  outOfHours: {
    conversations: 512,
    leads: 147,
    appointments: 49,
    conversationShare: 39.875,
    leadShare: 43.109,
    appointmentShare: 38.281,
  },
  dataThrough,
};

const topicCounts = [
  ["saludo", 512, 90, 40, 2],
  ["citas", 402, 171, 88, 9],
  ["precios", 318, 64, 18, 71],
  ["ortodoncia", 201, 55, 21, 9],
  ["dolor", 187, 60, 30, 8],
  ["horario", 166, 11, 3, 3],
  ["implantes", 121, 33, 12, 7],
  ["seguros", 98, 13, 4, 30],
  ["limpieza", 94, 24, 12, 4],
  ["gracias", 77, 20, 10, 0],
  ["doctores", 31, 5, 2, 3],
  ["-", 22, 0, 0, 4],
] as const;

export const topics: Schemas["Topics"] = {
  topics: topicCounts.map(([topic, conversations, leads, appointments, unanswered]) => ({
    topic,
    smallTalk: topic === "saludo" || topic === "gracias",
    conversations,
    share: (100 * conversations) / 1284,
    leads,
    leadRate: (100 * leads) / conversations,
    appointments,
    appointmentRate: (100 * appointments) / conversations,
    unanswered,
  })),
  dataThrough,
};

export const quality: Schemas["Quality"] = {
  replies: 7840,
  failures: 21,
  failedConversations: 17,
  failureRate: 0.267,
  unanswered: 148,
  unansweredConversations: 131,
  unansweredRate: 1.888,
  latency: { p50: 1.61, p90: 3.42, p99: 11.83 },
  tokensIn: 8_201_340,
  tokensOut: 842_110,
  models: [
    {
      provider: "bitacora",
      model: "bitacora-embedded-1",
      replies: 7610,
      share: 97.066,
      conversations: 1270,
      unanswered: 140,
      latency: { p50: 1.58, p90: 3.2, p99: 9.9 },
      tokensIn: 8_000_000,
      tokensOut: 820_000,
    },
    {
      provider: "",
      model: "-",
      replies: 230,
      share: 2.934,
      conversations: 88,
      unanswered: 8,
      latency: { p50: null, p90: null, p99: null },
      tokensIn: 201_340,
      tokensOut: 22_110,
    },
  ],
  dataThrough,
};

export const comparison: Schemas["KpisComparison"] = {
  startDate: "2026-09-22T23:41:07.000Z",
  endDate: "2026-10-22T23:41:06.999Z",
  previous: {
    totalConversations: 1146,
    totalMessages: 15980,
    avgMessagesPerConversation: 13.944,
    totalLeads: 276,
    conversionRate: 24.084,
    totalAppointments: 0,
    cancelledAppointments: 0,
    avgConversationDuration: 141.2,
    medianConversationDuration: 110,
    p90ConversationDuration: 270,
  },
  change: {
    totalConversations: 12.042,
    totalMessages: -1.558,
    totalLeads: 23.551,
    totalAppointments: null,
    avgConversationDuration: -4.561,
    avgMessagesPerConversation: -1.69,
    conversionRate: 2.474,
  },
};
