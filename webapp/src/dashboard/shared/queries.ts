import { keepPreviousData, queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { dashboardApi, dataOf, type Schemas } from "../../api/client";
import { dayLength } from "../../content/zone";
import type { Span } from "../conversations/useRowWindow";
import type { Comparison, Filters, Interval } from "./address";
import type { Period } from "./period";

export type Kpis = Schemas["Kpis"];
export type ConversationSummary = Schemas["ConversationSummary"];
export type ConversationMessage = Schemas["ConversationMessage"];
export type Timeseries = Schemas["Timeseries"];
export type TimeseriesPoint = Schemas["TimeseriesPoint"];

/** Every query of the dashboard stands under this key. */
export const dashboardKey = "dashboard";

/** The conversations that a question is about. */
export interface Scope {
  /** Names the period: two questions with the same name have the same answer, until there is new data. */
  readonly name: string;
  /** The period as of now; one that goes up to now grows while it is watched. */
  readonly period: () => Period;
  readonly filters: Filters;
}

/** The conversations that are asked for at once. */
const pageSize = 100;

/** The parameters that name these conversations to the server. */
export function parametersOf({ period, filters }: Scope) {
  const { start, end } = period();
  return { startDate: start.toISOString(), endDate: end.toISOString(), ...filters };
}

function keyOf(call: string, { name, filters }: Scope, ...more: unknown[]) {
  return [dashboardKey, call, name, filters, ...more];
}

function comparing(compare: Comparison) {
  return compare === "none" ? {} : { compare };
}

/** The numbers of a period. The period before stays on screen until they are there. */
export function useKpis(scope: Scope, compare: Comparison) {
  return useQuery({
    queryKey: keyOf("kpis", scope, compare),
    queryFn: async ({ signal }) => {
      const query = { ...parametersOf(scope), ...comparing(compare) };
      return dataOf(await dashboardApi.GET("/api/dashboard/kpis", { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
  });
}

/** The numbers over time; without an interval the server chooses one. */
export function useTimeseries(scope: Scope, interval: Interval | undefined, compare: Comparison) {
  return useQuery({
    queryKey: keyOf("timeseries", scope, interval, compare),
    queryFn: async ({ signal }) => {
      const query = {
        ...parametersOf(scope),
        ...(interval && { interval }),
        ...comparing(compare),
      };
      const call = "/api/dashboard/timeseries";
      return dataOf(await dashboardApi.GET(call, { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
  });
}

/** A page of the list, by its number from 0. */
function conversationPage(scope: Scope, page: number) {
  return queryOptions({
    queryKey: keyOf("conversations", scope, page),
    queryFn: async ({ signal }) => {
      const query = {
        ...parametersOf(scope),
        limit: pageSize,
        ...(page > 0 && { offset: page * pageSize }),
      };
      const call = "/api/dashboard/conversations";
      const answer = await dashboardApi.GET(call, { params: { query }, signal });
      const conversations = dataOf(answer);
      const total = answer.response.headers.get("X-Total-Count") ?? conversations.length;
      return { conversations, total: Number(total) };
    },
  });
}

/** The page of the list that a question is about; undefined for other questions. */
export function pageOfList(queryKey: readonly unknown[]): number | undefined {
  const page = queryKey.at(-1);
  return queryKey[1] === "conversations" && typeof page === "number" ? page : undefined;
}

/**
 * The conversations of a period, newest first, as far as they are looked at: the first page and
 * those around the given places. The period before stays on screen until the first page is there.
 */
export function useConversations(scope: Scope, { first, last }: Span) {
  const beginning = useQuery({ ...conversationPage(scope, 0), placeholderData: keepPreviousData });
  const total = beginning.data?.total ?? 0;
  const ahead = pageSize / 4;
  const from = Math.max(1, Math.floor((first - ahead) / pageSize));
  const to = Math.floor(Math.min(total - 1, last + ahead) / pageSize);
  const pages = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
  const others = useQueries({ queries: pages.map((page) => conversationPage(scope, page)) });

  const ofPage = (page: number) =>
    page === 0 ? beginning.data : others[pages.indexOf(page)]?.data;
  const at = (place: number) =>
    ofPage(Math.floor(place / pageSize))?.conversations[place % pageSize];
  return {
    total,
    /** The conversation at a place; undefined where none is or none is there yet. */
    at,
    /** The place of a conversation among those that are there; -1 elsewhere. */
    placeOf(id: string | undefined) {
      for (const page of [0, ...pages]) {
        const index = ofPage(page)?.conversations.findIndex((other) => other.id === id) ?? -1;
        if (index >= 0) return page * pageSize + index;
      }
      return -1;
    },
    loaded: beginning.data !== undefined,
    isPending: beginning.isPending,
    isPlaceholderData: beginning.isPlaceholderData,
    isError: beginning.isError || others.some((page) => page.isError),
    error: beginning.error ?? others.find((page) => page.isError)?.error,
    refetch() {
      for (const page of [beginning, ...others]) if (page.isError) page.refetch();
    },
  };
}

/** About as long a period as the server answers about, in milliseconds. */
const longestPeriod = 399 * dayLength;

/** When the latest conversation began; null where there has been none for more than a year. */
export function useLatestConversation(enabled: boolean) {
  return useQuery({
    queryKey: [dashboardKey, "latest"],
    queryFn: async ({ signal }) => {
      const end = new Date();
      const start = new Date(end.getTime() - longestPeriod);
      const query = { startDate: start.toISOString(), endDate: end.toISOString(), limit: 1 };
      const call = "/api/dashboard/conversations";
      const [latest] = dataOf(await dashboardApi.GET(call, { params: { query }, signal }));
      return latest?.startedAt ?? null;
    },
    enabled,
  });
}

/** The calls that answer one card of the analytics tab each. */
type Report = "funnel" | "heatmap" | "topics" | "unanswered" | "quality" | "ratings";

type ReportOf<Name extends Report> = Schemas[Capitalize<Name>];

const reports: {
  [Name in Report]: (
    query: ReturnType<typeof parametersOf>,
    signal: AbortSignal,
  ) => Promise<{ data?: ReportOf<Name> }>;
} = {
  funnel: (query, signal) =>
    dashboardApi.GET("/api/dashboard/funnel", { params: { query }, signal }),
  heatmap: (query, signal) =>
    dashboardApi.GET("/api/dashboard/heatmap", { params: { query }, signal }),
  topics: (query, signal) =>
    dashboardApi.GET("/api/dashboard/topics", { params: { query }, signal }),
  unanswered: (query, signal) =>
    dashboardApi.GET("/api/dashboard/unanswered", { params: { query }, signal }),
  quality: (query, signal) =>
    dashboardApi.GET("/api/dashboard/quality", { params: { query }, signal }),
  ratings: (query, signal) =>
    dashboardApi.GET("/api/dashboard/ratings", { params: { query }, signal }),
};

/** One card's numbers; those before stay on screen until they are there. */
export function useReport<Name extends Report>(name: Name, scope: Scope) {
  return useQuery({
    queryKey: keyOf(name, scope),
    queryFn: async ({ signal }): Promise<ReportOf<Name>> =>
      dataOf(await reports[name](parametersOf(scope), signal)),
    placeholderData: keepPreviousData,
  });
}

/** The transcript of a conversation; nothing is asked while none is selected. */
export function useMessages(id: string | undefined) {
  return useQuery({
    queryKey: [dashboardKey, "messages", id],
    queryFn: async ({ signal }) =>
      dataOf(
        await dashboardApi.GET("/api/dashboard/conversation/{id}/messages", {
          params: { path: { id: id ?? "" } },
          signal,
        }),
      ),
    enabled: id !== undefined,
  });
}

/** The counts of contacts stand under this key. */
export const contactCountsKey = [dashboardKey, "contact-counts"];

/** How many contacts a period has by status, of one kind or of all. */
export function useContactCounts(scope: Scope, kind?: Schemas["ContactKind"]) {
  return useQuery({
    queryKey: [...contactCountsKey, scope.name, kind],
    queryFn: async ({ signal }) => {
      const { startDate, endDate } = parametersOf(scope);
      const query = { startDate, endDate, ...(kind && { kind }) };
      const call = "/api/dashboard/contacts/counts";
      return dataOf(await dashboardApi.GET(call, { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
  });
}
