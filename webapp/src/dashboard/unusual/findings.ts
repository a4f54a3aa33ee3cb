import { useQuery } from "@tanstack/react-query";
import { dashboardApi, dataOf, type Schemas } from "../../api/client";
import { unusualTexts as texts } from "../../content/dashboardUnusual";
import { formatDay, formatMonth } from "../../content/dates";
import { addDays, type Day, dayAt, dayOf, formatIsoDay } from "../../content/zone";
import { dashboardKey } from "../shared/queries";

export type Finding = Schemas["UnusualFinding"];

export function useUnusual() {
  return useQuery({
    queryKey: [dashboardKey, "unusual"],
    queryFn: async ({ signal }) =>
      dataOf(await dashboardApi.GET("/api/dashboard/unusual", { signal })),
  });
}

const numbersOf = (from: Day, to: Day) =>
  `/dashboard?${new URLSearchParams({ desde: formatIsoDay(from), hasta: formatIsoDay(to) })}`;

const monthOf = ({ year, month }: Day) =>
  numbersOf(dayAt(year, month, 1), addDays(dayAt(year, month + 1, 1), -1));

/** The sentence of a finding, and where one sees more of it. */
export function toldOf(finding: Finding): { readonly sentence: string; readonly href: string } {
  const {
    kind,
    at,
    provider = "",
    count = 0,
    weeks = 0,
    least = 0,
    most = 0,
    median = 0,
  } = finding;
  const day = dayOf(at ? new Date(at) : new Date());
  switch (kind) {
    case "provider":
      return { sentence: texts.provider(provider), href: "/dashboard?vista=analiticas" };
    case "limit":
      return { sentence: texts.limit(formatDay(day)), href: monthOf(day) };
    case "refusals":
      return { sentence: texts.refusals(count, formatMonth(day)), href: monthOf(day) };
  }
  const told = { day: formatDay(day), count, weeks, least, most, median };
  return { sentence: texts[kind](told), href: numbersOf(day, day) };
}
