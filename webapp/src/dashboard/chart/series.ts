/** A time series made ready to be drawn, read as a table and taken away as a file. */
import { bucketNames, chartTexts } from "../../content/dashboardCharts";
import { isRate, type Metric, metrics, metricWords } from "../../content/dashboardKpis";
import { formatDay, formatTime } from "../../content/dates";
import { formatCount } from "../../content/numbers";
import { dayOf, formatIsoDay, parseIsoDay } from "../../content/zone";
import { changeOf, type Delta, deltaOf } from "../shared/delta";
import type { DayRange } from "../shared/state/period";
import type { ChartNote, Timeseries, TimeseriesPoint } from "./queries";

export type MarkKind = keyof typeof chartTexts.marks;

/** Something that happened in a bucket. */
export interface Mark {
  readonly kind: MarkKind;
  /** Beside the line. */
  readonly sign: string;
  readonly words: string;
}

/** One bucket as the chart draws it; null draws nothing. */
export interface Bucket {
  readonly name: string;
  readonly shortName: string;
  /** What is counted so far; null before the bucket begins, and for a rate of nothing. */
  readonly value: number | null;
  /** The value of a whole bucket: the solid line. */
  readonly complete: number | null;
  /** The value where the line is dashed: a bucket of which only a part is counted, and those beside it. */
  readonly dashed: number | null;
  readonly previous: number | null;
  readonly previousName: string | undefined;
  readonly partial: boolean;
  readonly clipped: boolean;
  /** What happened in it that may explain its value. */
  readonly marks: readonly Mark[];
  readonly point: TimeseriesPoint;
}

function nameOf(
  { interval, zone }: Pick<Timeseries, "interval" | "zone">,
  { startDate, endDate }: { startDate: string; endDate: string },
) {
  return bucketNames[interval].long(new Date(startDate), zone, new Date(endDate));
}

/** An answer, and when a version of it was taught. */
export interface Teaching {
  readonly slug: string;
  readonly at: string;
}

/** The answers that were taught in a bucket, each once. */
function taughtIn({ startDate, endDate }: TimeseriesPoint, taught: readonly Teaching[]): string[] {
  const [from, to] = [Date.parse(startDate), Date.parse(endDate)];
  const within = taught.filter(({ at }) => Date.parse(at) >= from && Date.parse(at) <= to);
  return [...new Set(within.map(({ slug }) => slug))];
}

/** The notes whose first day lies in a bucket, or that go on into the first bucket. */
function notedIn(point: TimeseriesPoint, { points, notes, zone }: Timeseries): string[] {
  const days = daysOfBucket(point, zone);
  const [from, to] = [formatIsoDay(days.from), formatIsoDay(days.to)];
  return notes
    .filter(({ startDay }) => startDay <= to && (startDay >= from || point === points[0]))
    .map((note) => (note.startDay === note.endDay ? note.text : `${note.text} (${daysOf(note)})`));
}

/** The days of a note, in words. */
export function daysOf({ startDay, endDay }: ChartNote): string {
  const inWords = (text: string) => {
    const day = parseIsoDay(text);
    return day ? formatDay(day) : text;
  };
  const from = inWords(startDay);
  return startDay === endDay ? from : chartTexts.notes.days(from, inWords(endDay));
}

/** What happened in a bucket, of each kind once. */
function marksOf(point: TimeseriesPoint, series: Timeseries, taught: readonly Teaching[]): Mark[] {
  const found: Record<MarkKind, readonly string[]> = {
    holidays: point.holidays,
    refusals: point.refusals > 0 ? [formatCount(point.refusals)] : [],
    taught: taughtIn(point, taught),
    notes: notedIn(point, series),
  };
  return (Object.keys(found) as MarkKind[])
    .filter((kind) => found[kind].length > 0)
    .map((kind) => {
      const { sign, words } = chartTexts.marks[kind];
      return { kind, sign: sign(found[kind]), words: words(found[kind]) };
    });
}

/** Whether only a part of a bucket's time is counted: it is in progress, or the period begins or ends within it. */
function isPart(point: TimeseriesPoint | undefined): boolean {
  return point !== undefined && (point.partial || point.clipped);
}

/** The buckets of one metric, the earliest first. */
export function bucketsOf(
  series: Timeseries,
  metric: Metric,
  taught: readonly Teaching[] = [],
): Bucket[] {
  const { interval, zone, points } = series;
  return points.map((point, index) => {
    const { partial, clipped, future, previous, numbers } = point;
    const value = future ? null : numbers[metric];
    return {
      name: nameOf(series, point),
      shortName: bucketNames[interval].short(new Date(point.startDate), zone),
      value,
      complete: isPart(point) ? null : value,
      dashed: [point, points[index - 1], points[index + 1]].some(isPart) ? value : null,
      previous: previous?.numbers[metric] ?? null,
      previousName: previous && nameOf(series, previous),
      partial,
      clipped,
      marks: marksOf(point, series, taught),
      point,
    };
  });
}

/** A number of the whole period. */
export interface Totals {
  readonly value: number | null;
  /** Undefined where nothing is compared. */
  readonly previous: number | null | undefined;
  /** The highest bucket; undefined where all are empty. */
  readonly highest: Bucket | undefined;
}

export function totalsOf(
  { total, previousTotal }: Timeseries,
  metric: Metric,
  buckets: readonly Bucket[],
): Totals {
  let highest: Bucket | undefined;
  for (const bucket of buckets) {
    if ((bucket.value ?? 0) > (highest?.value ?? 0)) highest = bucket;
  }
  return { value: total[metric], previous: previousTotal?.[metric], highest };
}

/** How a value differs from the compared one: shares in percentage points, all else in percent. */
export function deltaOfMetric(metric: Metric, value: number, previous: number): Delta {
  return isRate(metric) && metric !== "firstContact"
    ? deltaOf(value - previous, value, "points")
    : deltaOf(changeOf(value, previous), value, "%");
}

/** The days that a bucket touches, in the zone of its series: a period to zoom into. */
export function daysOfBucket({ startDate, endDate }: TimeseriesPoint, zone?: string): DayRange {
  return { from: dayOf(new Date(startDate), zone), to: dayOf(new Date(endDate), zone) };
}

function csvTime(instant: string, zone: string): string {
  const date = new Date(instant);
  return `${formatIsoDay(dayOf(date, zone))} ${formatTime(date, zone)}`;
}

/** A number of a file, with one decimal at most. */
function csvNumber(value: number | null | undefined): string {
  return value === null || value === undefined ? "" : String(Math.round(value * 10) / 10);
}

/** The series as a file for spreadsheets: UTF-8 with a byte order mark, times of its zone. */
export function csvOf({ points, comparison, zone }: Timeseries): string {
  const { columns, previous } = chartTexts.csv;
  const words = metrics.map((metric) => metricWords[metric]);
  const before = words.map((word) => `${word} ${previous}`);
  const rows = points
    .filter(({ future }) => !future)
    .map((point) => [
      csvTime(point.startDate, zone),
      csvTime(point.endDate, zone),
      ...metrics.map((metric) => csvNumber(point.numbers[metric])),
      ...(comparison ? metrics.map((metric) => csvNumber(point.previous?.numbers[metric])) : []),
    ]);
  const head = [...columns, ...words, ...(comparison ? before : [])];
  return `\uFEFF${[head, ...rows].map((row) => row.join(",")).join("\r\n")}\r\n`;
}
