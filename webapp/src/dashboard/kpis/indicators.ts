/** The numbers of a period, and what each leads to. */
import type { ComponentType, CSSProperties } from "react";
import type { Schemas } from "../../api/client";
import { type CardMetric, cardMetrics, kpiTexts, lineTexts } from "../../content/dashboardKpis";
import { CalendarIcon, ChatIcon } from "../../ui/icons";
import { MessagesIcon, PersonIcon } from "../shared/icons";
import type { Filters } from "../shared/state/filters";

export type Kpis = Schemas["Kpis"];

type Field = keyof Schemas["KpiNumbers"] & keyof Schemas["KpisChange"];

export interface Indicator {
  /** The number itself, which is compared in percent. */
  readonly field: Field;
  /** A rate that is compared beside it, in percentage points. */
  readonly rate?: Field;
  readonly icon: ComponentType<{ className?: string }>;
  /** In the light and in the dark, wherever it is drawn. */
  readonly colour: `light-dark(${string}, ${string})`;
  readonly note: (kpis: Kpis) => string;
  /** Select the conversations that the number counts. */
  readonly filters: Filters;
}

/** The colours are Okabe and Ito's, which the colour-blind tell apart. */
export const indicators: Record<CardMetric, Indicator> = {
  conversations: {
    field: "totalConversations",
    icon: ChatIcon,
    colour: "light-dark(#0072b2, #56b4e9)",
    note: () => kpiTexts.conversations.note,
    filters: {},
  },
  messages: {
    field: "totalMessages",
    icon: MessagesIcon,
    colour: "light-dark(#b5638f, #d897b9)",
    note: (kpis) => kpiTexts.messages.note(kpis.avgMessagesPerConversation),
    filters: {},
  },
  leads: {
    field: "totalLeads",
    rate: "conversionRate",
    icon: PersonIcon,
    colour: "light-dark(#d55e00, #ef7d2f)",
    note: (kpis) => kpiTexts.leads.note(kpis.conversionRate),
    filters: { lead: true },
  },
  appointments: {
    field: "totalAppointments",
    icon: CalendarIcon,
    colour: "light-dark(#008a65, #1fbb8f)",
    note: () => kpiTexts.appointments.note,
    filters: { appointment: true },
  },
};

/** The colour of lines without a card. */
const lineColour = "light-dark(#6a4fa3, #b9a3e3)";

/** Gives what lies below an element the colours, as `--metric-…`. */
export const metricColours = Object.fromEntries([
  ...cardMetrics.map((metric) => [`--metric-${metric}`, indicators[metric].colour]),
  ...Object.keys(lineTexts).map((metric) => [`--metric-${metric}`, lineColour]),
]) as CSSProperties;

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
