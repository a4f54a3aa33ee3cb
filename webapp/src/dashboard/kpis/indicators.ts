/** The four numbers of a period, and what each leads to. */
import type { ComponentType } from "react";
import { dashboardTexts } from "../../content/dashboard";
import type { Explained } from "../../content/dashboardCharts";
import { CalendarIcon, ChatIcon, MessagesIcon, PersonIcon } from "../../ui/icons";
import type { Metric } from "../shared/state/address";
import type { Filters } from "../shared/state/filters";
import type { Kpis } from "./queries";

const texts = dashboardTexts.kpis;

type Counted = "totalConversations" | "totalMessages" | "totalLeads" | "totalAppointments";

export interface Indicator {
  readonly metric: Metric & Explained;
  readonly label: string;
  readonly icon: ComponentType<{ className?: string }>;
  readonly field: Counted;
  readonly note: (kpis: Kpis) => string;
  /** Select the conversations that the number counts. */
  readonly filters: Filters;
}

export const indicators: readonly Indicator[] = [
  {
    metric: "conversations",
    label: texts.conversations.label,
    icon: ChatIcon,
    field: "totalConversations",
    note: () => texts.conversations.note,
    filters: {},
  },
  {
    metric: "messages",
    label: texts.messages.label,
    icon: MessagesIcon,
    field: "totalMessages",
    note: (kpis) => texts.messages.note(kpis.avgMessagesPerConversation),
    filters: {},
  },
  {
    metric: "leads",
    label: texts.leads.label,
    icon: PersonIcon,
    field: "totalLeads",
    note: (kpis) => texts.leads.note(kpis.conversionRate),
    filters: { lead: true },
  },
  {
    metric: "appointments",
    label: texts.appointments.label,
    icon: CalendarIcon,
    field: "totalAppointments",
    note: () => texts.appointments.note,
    filters: { appointment: true },
  },
];

const markers: Record<Metric, string> = {
  conversations: "bg-(--metric-conversations)",
  messages: "bg-(--metric-messages)",
  leads: "bg-(--metric-leads)",
  appointments: "bg-(--metric-appointments)",
};

/** The class that fills with the colour of a metric. */
export function markerOf(metric: Metric): string {
  return markers[metric];
}
