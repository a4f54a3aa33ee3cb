import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { dashboardApi, dataOf, type Schemas } from "../../api/client";
import { problemOf } from "../../api/problem";
import { waitingTexts } from "../../content/dashboardWaiting";
import { formatMoment } from "../../content/dates";
import { showToast } from "../../ui/toasts";
import { dashboardKey } from "../shared/queries";

export type WaitingPerson = Schemas["WaitingPerson"];
type Outcome = Schemas["AttemptOutcome"];

const waitingKey = [dashboardKey, "waiting"];
const call = "/api/dashboard/waiting";
const pageSize = 50;
/** How long an attempt can be taken back, in milliseconds. */
const undoFor = 10_000;

/** How many wait, and the first of them who left a phone. */
export function useFirstWaiting() {
  return useQuery({
    queryKey: [...waitingKey, "first"],
    queryFn: async ({ signal }) => {
      const params = { query: { limit: 1, phone: true } };
      return dataOf(await dashboardApi.GET(call, { params, signal }));
    },
  });
}

/** The people who wait, page by page. */
export function useWaiting() {
  return useInfiniteQuery({
    queryKey: [...waitingKey, "list"],
    queryFn: async ({ pageParam: offset, signal }) => {
      const params = { query: { limit: pageSize, offset } };
      return dataOf(await dashboardApi.GET(call, { params, signal }));
    },
    initialPageParam: 0,
    getNextPageParam: ({ people }, pages) =>
      people.length === pageSize ? pages.length * pageSize : undefined,
    placeholderData: keepPreviousData,
  });
}

/** The people of the pages, by what the address calls them. Who moved up while the next page was asked for is in both. */
export function peopleOf(pages: readonly Schemas["WaitingList"][] = []) {
  return new Map(pages.flatMap(({ people }) => people).map((one) => [keyOf(one), one]));
}

/** What the address calls a person. */
export const keyOf = ({ kind, id }: WaitingPerson) => `${kind}/${id}`;

/** Where one reads what a person wrote. */
export const inboxOf = (person?: WaitingPerson) =>
  `/dashboard/bandeja${person ? `?${new URLSearchParams({ persona: keyOf(person) })}` : ""}`;

/** What a person is called in a sentence. */
export const nameOf = ({ name, phone, email }: WaitingPerson) =>
  name || phone || email || waitingTexts.unnamed;

const notSaved = (error: Error) =>
  showToast({
    variant: "destructive",
    title: waitingTexts.notSaved,
    description: problemOf(error)?.message ?? waitingTexts.again,
  });

/** Says what came of an attempt to reach a person; all but its beginning can be taken back for a while. */
export function useAttempt(person: WaitingPerson) {
  const queries = useQueryClient();
  const { kind, id } = person;
  const onSettled = () => queries.invalidateQueries({ queryKey: waitingKey });
  const undo = useMutation({
    mutationFn: (attempt: string) =>
      dashboardApi.POST(`${call}/{kind}/{id}/attempts/{attempt}/undo`, {
        params: { path: { kind, id, attempt } },
      }),
    onSuccess: () => {
      showToast({ title: waitingTexts.undone });
    },
    onError: notSaved,
    onSettled,
  });
  return useMutation({
    mutationFn: async (outcome: Outcome) =>
      dataOf(
        await dashboardApi.POST(`${call}/{kind}/{id}/attempts`, {
          params: { path: { kind, id } },
          body: { id: crypto.randomUUID(), outcome },
        }),
      ),
    onSuccess: ({ id: attempt, outcome, dueAt }) => {
      if (outcome === "begun") return;
      showToast({
        title: waitingTexts.settled[outcome](nameOf(person)),
        description: dueAt && waitingTexts.due(formatMoment(new Date(dueAt))),
        action: { label: waitingTexts.undo, onSelect: () => undo.mutate(attempt) },
        duration: undoFor,
      });
    },
    onError: notSaved,
    onSettled,
  });
}
