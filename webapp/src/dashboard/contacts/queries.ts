import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { api, dashboardApi, dataOf, type Schemas } from "../../api/client";
import { nextCursor } from "../../api/paging";
import { contactTexts } from "../../content/dashboardContacts";
import { topicName } from "../../content/dashboardFilters";
import { draftOf, keepDraft } from "../../ui/drafts";
import { audited, type Cohort, dashboardKey, given, parametersOf } from "../shared/queries";
import { contactCountsKey } from "./counts";

export type Contact = Schemas["Contact"];
export type ContactKind = Schemas["ContactKind"];
export type ContactStatus = Schemas["ContactStatus"];

/** Which contacts of a period are listed; what is missing does not matter. */
interface ContactFilters {
  readonly kind?: ContactKind | undefined;
  readonly status?: ContactStatus | undefined;
  readonly q?: string | undefined;
  /** Also those of other periods. */
  readonly allTime?: boolean | undefined;
}

interface Page {
  readonly contacts: Contact[];
  readonly total: number;
  /** Among how many of the newest a text was looked for; undefined where it was all of them. */
  readonly searched: number | undefined;
  readonly next: string | undefined;
  /** The log position up to which the page holds. */
  readonly through: number;
}

type Pages = InfiniteData<Page, string>;

/** The address of the calls about one contact. */
export const contactCall = "/api/dashboard/contacts/{kind}/{id}";

export const pathOf = ({ kind, id }: Contact) => ({ path: { kind, id } });

/** The conversations that contacts left their data in. */
export const conversationsOf = (contacts: readonly Contact[]) =>
  contacts.filter(({ kind }) => kind === "lead").map(({ id }) => id);

/** Under this name a note that is being written is kept. */
export const noteDraft = ({ kind, id }: Contact) => `note/${kind}/${id}`;

const listKey = [dashboardKey, "contacts"];
const pageSize = 50;

/** The contacts of a period page by page, newest first, with the total. */
export function useContacts(cohort: Cohort, filters: ContactFilters) {
  return useInfiniteQuery({
    queryKey: [...listKey, cohort.name, filters],
    queryFn: async ({ pageParam: cursor, signal }): Promise<Page> => {
      const { startDate, endDate } = parametersOf(cohort);
      const query = { startDate, endDate, ...given({ ...filters, cursor }), limit: pageSize };
      const params = { query };
      const answer = await dashboardApi.GET("/api/dashboard/contacts", { params, signal });
      const contacts = dataOf(answer);
      const { headers } = answer.response;
      return {
        contacts,
        total: Number(headers.get("X-Total-Count") ?? contacts.length),
        searched: Number(headers.get("X-Searched-Count")) || undefined,
        next: nextCursor(headers.get("Link")),
        through: Number(/position=(\d+)/.exec(headers.get("X-Data-Through") ?? "")?.[1] ?? 0),
      };
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    meta: audited,
  });
}

/** Where the server gives the listed contacts as a file. */
export function contactsFile(cohort: Cohort, filters: ContactFilters): string {
  const { startDate, endDate } = parametersOf(cohort);
  const narrowed = Object.entries(given(filters)).map(([name, value]) => [name, String(value)]);
  const parameters = new URLSearchParams([
    ["startDate", startDate],
    ["endDate", endDate],
    ...narrowed,
  ]);
  return `/api/dashboard/contacts/export?${parameters}`;
}

/** What an appointment can be for, as choices: nothing, the clinic's services, and what is selected. */
export function useSpecialties(selected: string) {
  const { data } = useQuery({
    queryKey: ["/api/services"],
    queryFn: async ({ signal }) => dataOf(await api.GET("/api/services", { signal })),
  });
  const services = new Map(data?.map(({ slug, title }) => [slug, title]));
  if (selected && !services.has(selected)) services.set(selected, topicName(selected));
  return [["", contactTexts.appointment.anySpecialty] as const, ...services];
}

/** Writes what is known of one contact into every list that holds it. */
export function useContactUpdate() {
  const queries = useQueryClient();
  return ({ kind, id }: Contact, update: (contact: Contact) => Contact) =>
    queries.setQueriesData<Pages>(
      { queryKey: listKey },
      (list) =>
        list && {
          ...list,
          pages: list.pages.map((page) => ({
            ...page,
            contacts: page.contacts.map((contact) =>
              contact.kind === kind && contact.id === id ? update(contact) : contact,
            ),
          })),
        },
    );
}

/** Asks anew how many contacts have which status. */
function useCountsRefresh() {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: contactCountsKey });
}

interface StatusChange {
  /** The same for a repetition. */
  readonly change: string;
  readonly status: ContactStatus;
}

/** Changes the status at once, and takes it back where the server does not. */
export function useStatusChange(contact: Contact) {
  const update = useContactUpdate();
  const refreshCounts = useCountsRefresh();
  return useMutation({
    mutationFn: async ({ change, status }: StatusChange) => {
      const asked = { params: pathOf(contact), body: { id: change, status } };
      return dataOf(await dashboardApi.POST(`${contactCall}/status`, asked));
    },
    onMutate({ status }) {
      update(contact, (known) => ({ ...known, state: { status } }));
      return contact.state;
    },
    onError: (_error, _change, before) =>
      before && update(contact, (known) => ({ ...known, state: before })),
    onSuccess: (state) => update(contact, (known) => ({ ...known, state })),
    onSettled: refreshCounts,
  });
}

interface NewNote {
  readonly change: string;
  readonly text: string;
}

export function useNewNote(contact: Contact) {
  const update = useContactUpdate();
  return useMutation({
    mutationFn: async ({ change, text }: NewNote) => {
      const asked = { params: pathOf(contact), body: { id: change, text } };
      return dataOf(await dashboardApi.POST(`${contactCall}/notes`, asked));
    },
    onSuccess(note, { text }) {
      // The form may be gone by now.
      if (draftOf(noteDraft(contact)).trim() === text) keepDraft(noteDraft(contact), "");
      update(contact, (known) => ({
        ...known,
        notes: [...known.notes.filter(({ id }) => id !== note.id), note],
      }));
    },
  });
}

/** Books an appointment of a contact, or cancels it. */
export function useBooking(contact: Contact) {
  const update = useContactUpdate();
  const refreshCounts = useCountsRefresh();
  return useMutation({
    mutationFn: async (body: Schemas["StaffBooking"]) => {
      const asked = { params: { path: { id: contact.id } }, body };
      return dataOf(await dashboardApi.POST("/api/dashboard/conversation/{id}/booking", asked));
    },
    onSuccess: ({ status, slot, specialty }) =>
      update(contact, (known) => {
        if (status === "cancelled") {
          const { appointment } = known;
          return appointment
            ? { ...known, appointment: { ...appointment, cancelled: true } }
            : known;
        }
        const state = { status: "scheduled", changedAt: new Date().toISOString() } as const;
        const booked = {
          ...(specialty && { specialty }),
          source: "staff",
          cancelled: false,
        } as const;
        return { ...known, state, ...(slot && { appointment: { slot, ...booked } }) };
      }),
    onSettled: refreshCounts,
  });
}
