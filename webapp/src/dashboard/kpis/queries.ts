import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { dashboardApi, dataOf, type Schemas } from "../../api/client";
import { type Cohort, comparing, keyOf, parametersOf } from "../shared/queries";
import type { Comparison } from "../shared/state/address";

export type Kpis = Schemas["Kpis"];

/** Shown where the numbers could not be loaded. */
export const zeroKpis: Kpis = {
  totalConversations: 0,
  totalMessages: 0,
  avgMessagesPerConversation: 0,
  totalLeads: 0,
  conversionRate: 0,
  totalAppointments: 0,
  cancelledAppointments: 0,
  avgConversationDuration: 0,
  medianConversationDuration: 0,
  p90ConversationDuration: 0,
  dataThrough: { position: 0 },
};

/** The numbers of a period. The period before stays on screen until they are there. */
export function useKpis(cohort: Cohort, compare: Comparison) {
  return useQuery({
    queryKey: keyOf("kpis", cohort, compare),
    queryFn: async ({ signal }) => {
      const query = { ...parametersOf(cohort), ...comparing(compare) };
      return dataOf(await dashboardApi.GET("/api/dashboard/kpis", { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
  });
}
