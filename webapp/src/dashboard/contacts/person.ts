import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { dashboardApi, dataOf, type Schemas } from "../../api/client";
import { dashboardKey } from "../shared/queries";
import type { Contact } from "./queries";

export type Person = Schemas["Person"];

const pathOf = ({ kind, id }: Contact) => ({ path: { kind, id } });
const keyOf = ({ kind, id }: Contact) => ["person", kind, id];

/** What is kept of the person of a contact, while somebody looks at it. */
export function usePerson(contact: Contact, enabled: boolean) {
  return useQuery({
    queryKey: keyOf(contact),
    queryFn: async ({ signal }) =>
      dataOf(
        await dashboardApi.GET("/api/dashboard/contacts/{kind}/{id}/person", {
          params: pathOf(contact),
          signal,
        }),
      ),
    enabled,
    staleTime: 0,
    gcTime: 0,
  });
}

/** Where the server gives everything that is kept of a person as a file. */
export function copyOf({ kind, id }: Contact, format: "html" | "json"): string {
  return `/api/dashboard/contacts/${kind}/${encodeURIComponent(id)}/person/copy?format=${format}`;
}

/** Forgets everything of people that the dashboard shows: it is asked for anew. */
function useForgetting(contact: Contact) {
  const queries = useQueryClient();
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: [dashboardKey] }),
      queries.invalidateQueries({ queryKey: keyOf(contact) }),
    ]);
}

export function useRestriction(contact: Contact) {
  const forget = useForgetting(contact);
  return useMutation({
    mutationFn: async (on: boolean) =>
      dataOf(
        await dashboardApi.POST("/api/dashboard/contacts/{kind}/{id}/person/restriction", {
          params: pathOf(contact),
          body: { on },
        }),
      ),
    onSuccess: forget,
  });
}

export function useErasure(contact: Contact) {
  const forget = useForgetting(contact);
  return useMutation({
    mutationFn: async (body: Schemas["PersonErasure"]) =>
      dataOf(
        await dashboardApi.POST("/api/dashboard/contacts/{kind}/{id}/person/erasure", {
          params: pathOf(contact),
          body,
        }),
      ),
    onSuccess: forget,
  });
}
