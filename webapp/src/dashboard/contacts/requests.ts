import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { dashboardApi, dataOf, type Schemas } from "../../api/client";
import { audited, dashboardKey } from "../shared/queries";
import { contactCountsKey } from "./counts";
import { type Contact, contactCall, useContactUpdate } from "./queries";

export type ContactRequest = Schemas["ContactRequest"];

const requestsKey = [dashboardKey, "requests"];

/** Who asked something about their own data, whenever that was; what is due first at the front. */
export function useRequests(done: boolean, wanted: boolean) {
  return useQuery({
    queryKey: [...requestsKey, done],
    queryFn: async ({ signal }) => {
      const params = { query: { done } };
      return dataOf(await dashboardApi.GET("/api/dashboard/contacts/requests", { params, signal }));
    },
    enabled: wanted,
    meta: audited,
  });
}

interface Finished {
  readonly request: string;
  readonly outcome: Schemas["RequestOutcome"];
}

/** Takes down what became of a request. */
export function useFinishRequest(contact: Contact) {
  const queries = useQueryClient();
  const update = useContactUpdate();
  const { kind, id } = contact;
  return useMutation({
    mutationFn: async ({ request, outcome }: Finished) => {
      const asked = { params: { path: { kind, id, request } }, body: { outcome } };
      return dataOf(await dashboardApi.POST(`${contactCall}/requests/{request}`, asked));
    },
    onSuccess(requests) {
      const change = (known: Contact) => ({ ...known, requests });
      update(contact, change);
      queries.setQueriesData<Contact[]>({ queryKey: requestsKey }, (list) =>
        list?.map((known) => (known.kind === kind && known.id === id ? change(known) : known)),
      );
    },
    onSettled: () => queries.invalidateQueries({ queryKey: contactCountsKey }),
  });
}
