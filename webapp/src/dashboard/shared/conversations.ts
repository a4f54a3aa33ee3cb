/** The list of conversations: shown as rows, and walked through with a transcript open. */
import { keepPreviousData, queryOptions, useQueries, useQuery } from "@tanstack/react-query";
import { dashboardApi, dataOf, type Schemas } from "../../api/client";
import { keyOf, parametersOf, type Scope } from "./queries";

export type ConversationSummary = Schemas["ConversationSummary"];

/** Places in a list, counted from 0; the last one is in it. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

/** The conversations that are asked for at once. */
const pageSize = 100;

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
