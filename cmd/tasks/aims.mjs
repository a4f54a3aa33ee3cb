// What each figure of the benchmarks is to reach, and what stands in the way where it does not. `in` and `figure`
// name it in measurements.json.
const appended = (callers, least, why) => ({
  what: `append, callers: ${callers}`,
  beside: `single INSERTs, callers: ${Math.min(callers, 32)}`,
  in: `postgres: Append/callers=${callers}`,
  figure: "ratio",
  least,
  why,
});
const read = (events, kind = "rows", least = undefined) => ({
  what: `${kind === "rows" ? kind : `events, ${kind},`} of a log of ${events.toLocaleString("en")} events`,
  beside: "the same columns through pgx",
  in: `postgres: Read/events=${events}/${kind}`,
  figure: "ratio",
  least,
  why: least && "What takes the time was not looked for.",
});
const reads = (events) => [
  read(events, "rows", 0.8),
  read(events, "decoded"),
  read(events, "unsealed"),
  { ...read(events, "unsealed"), ...published, in: `postgres: Read/events=${events}/watermill` },
];
const delivered = (events) => [
  {
    what: `append to delivery, in a log of ${events.toLocaleString("en")} events`,
    in: `postgres: Tail/events=${events}`,
    figure: "delivered-p99-ms",
    most: 10,
    unit: " ms",
    why: "On a busy machine NOTIFY alone takes more than half of it.",
  },
  ...["notified", "polled", "watermill"].map((control) => ({
    what: `append to delivery, p99, in a log of ${events.toLocaleString("en")} events`,
    beside: {
      notified: "LISTEN and NOTIFY alone; fewer times is better",
      polled: "a look every 10 ms; fewer times is better",
      watermill: "watermill-sql with a look every 10 ms; fewer times is better",
    }[control],
    in: `postgres: Tail/events=${events}`,
    figure: `p99-times-${control}`,
  })),
];
const visible = (perSecond, most, why) => ({
  what: `message to dashboard, p99, ${perSecond} a second`,
  beside: "the answer alone",
  in: `bench: MessageToKPI/messages/s=${perSecond}`,
  figure: "visible-p99-ms",
  most,
  unit: " ms",
  why,
  missing: why,
});
const rebuilt = (events, figure, bound) => ({
  what: `rebuild, ${events.toLocaleString("en")} events`,
  beside: "the same rows copied from Postgres",
  in: `bench: Rebuild/events=${events}`,
  figure,
  ...bound,
});
const grown = (what, figure, bound) =>
  [100_000, 1_000_000].map((events) => ({
    what: `${what}, ${events.toLocaleString("en")} events`,
    in: `bench: Growth/events=${events}`,
    figure,
    ...bound,
  }));
const dashboard = (what, conversations, question, most, why) => ({
  what: `${what}, ${conversations.toLocaleString("en")} conversations`,
  beside: "a scan of one column",
  in: `clickhouse: Dashboard/conversations=${conversations}/${question}`,
  figure: "median-ms",
  most,
  unit: " ms",
  why,
  missing: conversations > 1_000_000 ? size : "",
});
const recovered = (part, why) =>
  ["answered", "caught-up"].map((figure) => ({
    what: `${figure === "answered" ? "a visitor is answered" : "caught up"} after a kill of ${part}`,
    beside: "an answer without a kill",
    in: `bench: Recovery/killed=${part}`,
    figure: `${figure}-ms`,
    most: 2000,
    unit: " ms",
    why: figure === "answered" ? started : why,
  }));
const published = { beside: "watermill-sql", least: undefined, why: "" };
const scored = (what, figure, bound) => ({
  what: `Lighthouse, home page: ${what}`,
  in: "lighthouse: /",
  figure,
  ...bound,
});
const size = "To fill it takes longer than the ten minutes that a measurement has here.";
const statements =
  "`append_events` runs some ten statements, whose executors start anew at each call: 0.7 ms more than an INSERT, with and without waiting for the disk.";
const grouped = `${statements} A group shares that, and waits for the group before; other work takes the two cores meanwhile.`;
const texts =
  "Grouped questions without an answer take most of it: they read the texts of all messages.";
const listed =
  "It reads every column of the year's conversations, and to begin takes as long as to read 100,000. Their keys first and then the page's rows took as long, in two questions.";
const started =
  "It computes for 1.3 s, beside ClickHouse's own start: the assistant 0.5 s, the site 0.25 s, and before anything the word lists of the passwords and patterns 0.2 s.";
const turn =
  "The program takes four fifths: it reads what was written for an act, danger, requests about data and an answer, a third of it in regular expressions.";

export const aims = [
  appended(1, 0.7, statements),
  appended(8, 1, grouped),
  appended(32, 1.7, grouped),
  appended(256, 3.5, grouped),
  {
    ...appended(256, 0, grouped),
    what: "append, p99, callers: 256",
    figure: "p99-ms",
    least: undefined,
    most: 20,
    unit: " ms",
  },
  ...["sealed", "hot"].map((kind) => ({
    what: `append, callers: 32, ${kind === "hot" ? "eight streams" : "first messages, sealed"}`,
    beside: "single INSERTs, callers: 32",
    in: `postgres: Append/${kind}/callers=32`,
    figure: "ratio",
  })),
  {
    what: "append, callers: 256",
    beside: "COPY, a thousand a transaction",
    in: "postgres: Append/copy/callers=256",
    figure: "ratio",
  },
  ...[1, 32, 256].map((callers) => ({
    ...appended(callers),
    ...published,
    beside: `watermill-sql, callers: ${Math.min(callers, 32)}`,
    in: `postgres: Append/watermill/callers=${callers}`,
  })),
  ...[10_000, 1_000_000, 10_000_000].flatMap(reads),
  ...[10_000, 1_000_000].flatMap(delivered),
  visible(
    50,
    120,
    "A batch into a quiet log goes at once, and the next 200 ms later: of a single message, its reply waits for that. A pause of twice a batch's own time showed no gain on a busy machine.",
  ),
  visible(
    500,
    250,
    "Two cores answer fewer than 500 a second, by the processor of a turn; the rest wait and are given up.",
  ),
  ...[1_000_000, 2_000_000, 10_000_000].flatMap((events) => [
    rebuilt(events, "of-control", {
      least: 0.9,
      why: "The control neither decodes nor unseals nor joins.",
      missing: events > 2_000_000 ? size : "",
    }),
    rebuilt(events, "MiB-peak", {
      most: 512,
      unit: " MiB",
      why: "Each of three workers holds a batch as read, as decoded and as rows.",
      missing: events > 2_000_000 ? size : "",
    }),
  ]),
  {
    what: "rebuild, 200 MB of texts",
    beside: "usual texts",
    in: "bench: RebuildMemory/texts=long",
    figure: "MiB-peak",
    most: 512,
    unit: " MiB",
  },
  ...["verify", "check", "as-of"].flatMap((command) =>
    grown(
      { verify: "verify", check: "`log check`", "as-of": "`kpis --as-of`" }[command],
      `${command}-times-control`,
      { beside: "the log copied out; fewer times is better" },
    ),
  ),
  dashboard("dashboard, 30 days", 1_000_000, "30d/dashboard", 150, texts),
  dashboard("dashboard, a year", 1_000_000, "365d/dashboard", 500, texts),
  dashboard("dashboard, 30 days", 10_000_000, "30d/dashboard", 300, texts),
  dashboard("dashboard, a year", 10_000_000, "365d/dashboard", 2000, texts),
  ...[20_000, 1_000_000].flatMap((conversations) =>
    ["30d", "365d"].map((days) => ({
      what: `dashboard, ${days}, ${conversations.toLocaleString("en")} conversations`,
      beside: "Postgres with an index for each question; times as long there",
      in: `clickhouse: DashboardBesidePostgres/conversations=${conversations}/${days}`,
      figure: "ratio",
      why:
        conversations === 20_000
          ? "Of so few, ClickHouse's questions cost more to begin than to read."
          : "",
    })),
  ),
  dashboard(
    "search, a year",
    1_000_000,
    "365d/search",
    300,
    "Every text of the year is matched: none is stored in the form in which it is searched.",
  ),
  dashboard("list, first page of a year", 1_000_000, "365d/page", 100, listed),
  dashboard("list, page at 70 % of a year", 1_000_000, "365d/page_at_70_%", 100, listed),
  {
    what: "turn, processor of the program and its databases",
    beside: "its appends alone",
    in: "bench: Turns",
    figure: "turn-processor-ms",
    most: 2,
    unit: " ms",
    why: turn,
  },
  {
    what: "turn, p99 at 200 a second",
    beside: "p99 of its appends alone",
    in: "bench: Turns",
    figure: "p99-ratio",
    most: 1.5,
    why: `At 200 a second turns wait for the processor. ${turn}`,
  },
  ...["plain", "brotli"].map((coding) => ({
    what: `a page of the site, ${coding}`,
    beside: "a chi handler with the same bytes",
    in: `httpapi: Serve/${coding}`,
    figure: "ratio",
    least: 0.7,
    why: "Fewer bytes are written, and what the handlers around the page cost stays.",
  })),
  scored("performance", "Performance (≥ 100)", {
    least: 100,
    why: "The page's script keeps a simulated slow phone busy for longer than the 50 ms that are allowed; all other times are met.",
  }),
  scored("accessibility", "Accessibility (≥ 100)", { least: 100 }),
  scored("best practices", "Best practices (≥ 100)", { least: 100 }),
  scored("search engines", "SEO (≥ 100)", { least: 100 }),
  scored("scripts as they are sent", "Scripts, kB", {
    most: 80,
    unit: " kB",
    why: "The script that all pages share, with React, is 73 of the 81 kB that the page begins with.",
  }),
  ...grown("start to ready, second time", "start-s", {
    most: 1.5,
    unit: " s",
    why: started,
  }),
  ...grown("memory of all processes at rest", "PSS-all-MB", { most: 600, unit: " MB" }),
  ...grown("memory of `serve` at rest", "PSS-serve-MB", {
    most: 120,
    unit: " MB",
    why: "The pages of the program's own file that were read count 55 MB, the heap 57 MB when it is collected (two copies of the index of answers among them), the rest is room for the collector.",
  }),
  ...recovered("serve", started),
  ...recovered("postgres"),
  ...recovered("clickhouse"),
];
