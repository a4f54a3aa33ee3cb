import type { ComponentType } from "react";
import { type Flag, flagNames, flags } from "../../content/dashboardFilters";
import { Badge } from "../../ui/Badge";
import { ClockIcon, HeartIcon, PhoneIcon, ThumbDownIcon, WarningIcon } from "../../ui/icons";

const looks: Record<
  Flag,
  {
    readonly tone: "alarm" | "warning";
    readonly Icon: ComponentType<{ readonly className?: string }>;
  }
> = {
  crisis: { tone: "alarm", Icon: WarningIcon },
  emergency: { tone: "alarm", Icon: HeartIcon },
  urgency: { tone: "warning", Icon: ClockIcon },
  complaint: { tone: "warning", Icon: ThumbDownIcon },
  callback: { tone: "warning", Icon: PhoneIcon },
};

/** Why a conversation asks for attention, the gravest reason first. */
export function FlagBadges({ of = [] }: { readonly of: readonly Flag[] | undefined }) {
  return flags
    .filter((flag) => of.includes(flag))
    .map((flag) => {
      const { tone, Icon } = looks[flag];
      return (
        <Badge key={flag} tone={tone}>
          <Icon className="size-3.5" />
          {flagNames[flag]}
        </Badge>
      );
    });
}
