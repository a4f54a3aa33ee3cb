import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { dashboardApi, dataOf, type Schemas } from "../../api/client";
import { keepDraft } from "../../ui/drafts";
import { dashboardKey } from "../shared/queries";
import { type Contact, contactCall, noteDraft, pathOf } from "./queries";

export type Person = Schemas["Person"];

const call = `${contactCall}/person` as const;
const keyOf = ({ kind, id }: Contact) => ["person", kind, id];

/** What is kept of the person of a contact, while somebody looks at it. */
export function usePerson(contact: Contact, enabled: boolean) {
  return useQuery({
    queryKey: keyOf(contact),
    queryFn: async ({ signal }) =>
      dataOf(await dashboardApi.GET(call, { params: pathOf(contact), signal })),
    enabled,
    staleTime: 0,
    gcTime: 0,
  });
}

/** Where the server gives everything that is kept of a person as a file. */
export function copyOf({ kind, id }: Contact, format: "html" | "json"): string {
  return `/api/dashboard/contacts/${kind}/${encodeURIComponent(id)}/person/copy?format=${format}`;
}

/** Forgets everything of people that the dashboard shows, and asks for it anew. */
function useForgetting(contact: Contact) {
  const queries = useQueryClient();
  return () => {
    keepDraft(noteDraft(contact), "");
    return Promise.all([
      queries.invalidateQueries({ queryKey: [dashboardKey] }),
      queries.invalidateQueries({ queryKey: keyOf(contact) }),
    ]);
  };
}

export function useRestriction(contact: Contact) {
  const forget = useForgetting(contact);
  return useMutation({
    mutationFn: async (on: boolean) => {
      const asked = { params: pathOf(contact), body: { on } };
      return dataOf(await dashboardApi.POST(`${call}/restriction`, asked));
    },
    onSuccess: forget,
  });
}

export function useErasure(contact: Contact) {
  const forget = useForgetting(contact);
  return useMutation({
    mutationFn: async (body: Schemas["PersonErasure"]) => {
      const asked = { params: pathOf(contact), body };
      return dataOf(await dashboardApi.POST(`${call}/erasure`, asked));
    },
    onSuccess: forget,
  });
}
