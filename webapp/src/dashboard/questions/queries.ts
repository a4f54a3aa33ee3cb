import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { dashboardApi, dataOf, type Schemas } from "../../api/client";
import { audited, type Cohort, dashboardKey, given, keyOf, parametersOf } from "../shared/queries";

export type Question = Schemas["Question"];

type Page = Schemas["Questions"];

export interface QuestionFilters {
  /** Undefined for all. */
  readonly reason: "unanswered" | "negative" | "unsure" | undefined;
  readonly state: "open" | "settled" | undefined;
}

const call = "questions";
const pageSize = 50;

/**
 * The questions of a period page by page, those of one meaning together. What is dismissed stays in its
 * place: it is asked for anew only where the reader wishes it.
 */
export function useQuestions(cohort: Cohort, { reason, state }: QuestionFilters) {
  return useInfiniteQuery({
    queryKey: keyOf(call, cohort, reason, state),
    queryFn: async ({ pageParam: cursor, signal }) => {
      const query = {
        ...parametersOf(cohort),
        limit: pageSize,
        ...given({ reason, state, cursor }),
      };
      const params = { query };
      return dataOf(await dashboardApi.GET("/api/dashboard/questions", { params, signal }));
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    meta: audited,
  });
}

/** Dismisses a question, and notes it in every list that holds it. */
export function useDismiss(question: Question) {
  const queries = useQueryClient();
  const { conversationId, ordinal } = question;
  const noted = (page: Page): Page => ({
    ...page,
    questions: page.questions.map((known) =>
      known.conversationId === conversationId && known.ordinal === ordinal
        ? { ...known, settled: "dismissed" }
        : known,
    ),
  });
  return useMutation({
    mutationFn: () =>
      dashboardApi.POST("/api/dashboard/questions/dismissal", {
        body: { conversationId, ordinal },
      }),
    onSuccess: () =>
      queries.setQueriesData<InfiniteData<Page>>(
        { queryKey: [dashboardKey, call] },
        (list) => list && { ...list, pages: list.pages.map(noted) },
      ),
  });
}
