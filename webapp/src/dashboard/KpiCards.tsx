import type { ComponentType } from "react";
import { dashboardTexts } from "../content/dashboard";
import { formatCount } from "../content/spanish";
import { Card } from "../ui/Card";
import { CalendarIcon, ChatIcon, MessagesIcon, PersonIcon } from "../ui/icons";
import { Skeleton } from "../ui/Skeleton";
import type { Kpis } from "./queries";

interface Indicator {
  readonly label: string;
  readonly icon: ComponentType<{ className?: string }>;
  readonly value: (kpis: Kpis) => number;
  readonly note: (kpis: Kpis) => string;
}

const texts = dashboardTexts.kpis;

const indicators: readonly Indicator[] = [
  {
    label: texts.conversations.label,
    icon: ChatIcon,
    value: (kpis) => kpis.totalConversations,
    note: () => texts.conversations.note,
  },
  {
    label: texts.messages.label,
    icon: MessagesIcon,
    value: (kpis) => kpis.totalMessages,
    note: (kpis) => texts.messages.note(kpis.avgMessagesPerConversation),
  },
  {
    label: texts.leads.label,
    icon: PersonIcon,
    value: (kpis) => kpis.totalLeads,
    note: (kpis) => texts.leads.note(kpis.conversionRate),
  },
  {
    label: texts.appointments.label,
    icon: CalendarIcon,
    value: (kpis) => kpis.totalAppointments,
    note: () => texts.appointments.note,
  },
];

const cardRow = "grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4";

/** The four numbers of the period. */
export function KpiCards({ kpis }: { readonly kpis: Kpis }) {
  return (
    <dl className={cardRow}>
      {indicators.map(({ label, icon: Icon, value, note }) => (
        <Card className="relative p-4 sm:p-5" key={label}>
          <Icon className="absolute top-5 right-5 size-5 text-teal-500 max-sm:hidden" />
          <dt className="max-sm:min-h-10 font-medium sm:pr-8 text-ink-500 text-sm">{label}</dt>
          <dd className="mt-2 font-semibold text-3xl text-ink-900 tabular-nums leading-9 tracking-tight">
            {formatCount(value(kpis))}
          </dd>
          <dd className="mt-1 text-ink-500 text-sm">{note(kpis)}</dd>
        </Card>
      ))}
    </dl>
  );
}

const placeholders = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** Stands where the cards will be while the first numbers load. */
export function KpiPlaceholders() {
  return (
    <div className={cardRow} data-testid="kpi-placeholders" role="status">
      <span className="sr-only">{dashboardTexts.loadingNumbers}</span>
      {placeholders.map((place) => (
        <Card className="p-4 sm:p-5" key={place}>
          <Skeleton className="h-5 w-2/5" />
          <Skeleton className="mt-2 h-9 w-3/5" />
          <Skeleton className="mt-1 h-5 w-4/5" />
        </Card>
      ))}
    </div>
  );
}
