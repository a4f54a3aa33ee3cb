/** The list of conversations: shown as rows, and walked through with a transcript open. */
import { keepPreviousData, queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { dashboardApi, dataOf, type Schemas } from "../../api/client";
import { type Cohort, keyOf, parametersOf } from "./queries";
import { useMay } from "./rights";

export type ConversationSummary = Schemas["ConversationSummary"];

/** Indices of a list, the last one included. */
export interface IndexRange {
  readonly first: number;
  readonly last: number;
}

/** The conversations that are asked for at once. */
const pageSize = 100;

/** A page of the list, by its number from 0. */
function conversationPage(cohort: Cohort, page: number) {
  return queryOptions({
    queryKey: keyOf("conversations", cohort, page),
    queryFn: async ({ signal }) => {
      const query = {
        ...parametersOf(cohort),
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
 * those around the given indices. The period before stays on screen until the first page is there.
 * Nothing is asked for where the list is not wanted.
 */
export function useConversations(cohort: Cohort, { first, last }: IndexRange, wanted = true) {
  const beginning = useQuery({
    ...conversationPage(cohort, 0),
    placeholderData: keepPreviousData,
    enabled: useMay("people") && wanted,
  });
  const total = beginning.data?.total ?? 0;
  const ahead = pageSize / 4;
  const from = Math.max(1, Math.floor((first - ahead) / pageSize));
  const to = Math.floor(Math.min(total - 1, last + ahead) / pageSize);
  const pages = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
  const others = useQueries({ queries: pages.map((page) => conversationPage(cohort, page)) });

  const ofPage = (page: number) =>
    page === 0 ? beginning.data : others[pages.indexOf(page)]?.data;
  const at = (index: number) =>
    ofPage(Math.floor(index / pageSize))?.conversations[index % pageSize];
  return {
    total,
    /** The conversation at an index; undefined where there is none, or none yet. */
    at,
    /** The index of a conversation among those that are loaded; -1 elsewhere. */
    indexOf(id: string | undefined) {
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
