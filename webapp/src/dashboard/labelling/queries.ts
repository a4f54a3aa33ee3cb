import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { dashboardApi, dataOf, type Schemas } from "../../api/client";
import { audited, type Cohort, dashboardKey, parametersOf } from "../shared/queries";

export type Question = Schemas["QuestionToLabel"];
export type Label = Schemas["Label"];
export type LabelState = Schemas["LabelState"];

type Page = Schemas["QuestionsToLabel"];

export interface LabelFilters {
  /** Undefined for all. */
  readonly state: LabelState | undefined;
  /** Undefined for the default of the server. */
  readonly below: number | undefined;
}

const listKey = [dashboardKey, "labels"];
const pageSize = 50;

/**
 * The questions of a period page by page, newest first. What is being labelled stays in its place:
 * it is asked for anew only where the reader wishes it.
 */
export function useQuestions(cohort: Cohort, { state, below }: LabelFilters) {
  return useInfiniteQuery({
    queryKey: [...listKey, cohort.name, state, below],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const { startDate, endDate } = parametersOf(cohort);
      const query = {
        startDate,
        endDate,
        limit: pageSize,
        ...(state && { state }),
        ...(below !== undefined && { below }),
        ...(cursor && { cursor }),
      };
      return dataOf(await dashboardApi.GET("/api/dashboard/labels", { params: { query }, signal }));
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    meta: audited,
  });
}

/** What a label can name. */
export function useLabelChoices() {
  return useQuery({
    queryKey: ["/api/dashboard/labels/choices"],
    queryFn: async ({ signal }) =>
      dataOf(await dashboardApi.GET("/api/dashboard/labels/choices", { signal })),
  });
}

const same = (one: Question, other: Question) =>
  one.conversationId === other.conversationId && one.ordinal === other.ordinal;

/** Labels a question, and notes it in every list that holds it. */
export function useLabel(question: Question) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (label: Label) => {
      const { conversationId, ordinal } = question;
      return dashboardApi.POST("/api/dashboard/labels", {
        body: { conversationId, ordinal, label },
      });
    },
    onSuccess: (_nothing, label) =>
      queries.setQueriesData<InfiniteData<Page>>(
        { queryKey: listKey },
        (list) =>
          list && { ...list, pages: list.pages.map((page) => withLabel(page, question, label)) },
      ),
  });
}

function withLabel(page: Page, question: Question, label: Label): Page {
  return {
    ...page,
    labelled: page.labelled + (question.label ? 0 : 1),
    questions: page.questions.map((known) => (same(known, question) ? { ...known, label } : known)),
  };
}
