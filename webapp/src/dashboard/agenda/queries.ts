import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { dashboardApi, dataOf, type Schemas } from "../../api/client";
import { audited, dashboardKey } from "../shared/queries";

type Agenda = Schemas["Agenda"];
export type Appointment = Schemas["AgendaAppointment"];
export type Outcome = Schemas["AppointmentOutcome"];

const agendaKey = [dashboardKey, "agenda"];
/** How often the agenda is asked for anew, in milliseconds: hours pass, and others record outcomes. */
const askedEvery = 30_000;

/** The appointments of today and tomorrow. */
export function useAgenda() {
  return useQuery({
    queryKey: agendaKey,
    queryFn: async ({ signal }) =>
      dataOf(await dashboardApi.GET("/api/dashboard/agenda", { signal })),
    refetchInterval: askedEvery,
    meta: audited,
  });
}

/** Records an outcome at once, and takes it back where the server does not. */
export function useOutcome({ conversationId, bookingId }: Appointment) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (outcome: Outcome) => {
      const params = { path: { id: conversationId, booking: bookingId } };
      const address = "/api/dashboard/conversation/{id}/booking/{booking}/outcome";
      return dataOf(await dashboardApi.POST(address, { params, body: { outcome } }));
    },
    async onMutate(outcome) {
      await queries.cancelQueries({ queryKey: agendaKey });
      const before = queries.getQueryData<Agenda>(agendaKey);
      queries.setQueryData<Agenda>(agendaKey, (agenda) => changed(agenda, bookingId, outcome));
      return before;
    },
    onError: (_error, _outcome, before) => queries.setQueryData(agendaKey, before),
    onSettled: () => queries.invalidateQueries({ queryKey: agendaKey }),
  });
}

function changed(agenda: Agenda | undefined, booking: string, outcome: Outcome) {
  return (
    agenda && {
      ...agenda,
      days: agenda.days.map((day) => ({
        ...day,
        ...(day.list && {
          list: day.list.map((one) => (one.bookingId === booking ? { ...one, outcome } : one)),
        }),
      })),
    }
  );
}
