import type { ComponentType } from "react";
import { type Flag, flagNames, flags } from "../../content/dashboardFilters";
import { Badge } from "../../ui/Badge";
import { ClockIcon, HeartIcon, PhoneIcon, ThumbDownIcon, WarningIcon } from "../../ui/icons";

const badges: Record<
  Flag,
  {
    readonly variant: "alarm" | "warning";
    readonly Icon: ComponentType<{ readonly className?: string }>;
  }
> = {
  crisis: { variant: "alarm", Icon: WarningIcon },
  emergency: { variant: "alarm", Icon: HeartIcon },
  urgency: { variant: "warning", Icon: ClockIcon },
  complaint: { variant: "warning", Icon: ThumbDownIcon },
  callback: { variant: "warning", Icon: PhoneIcon },
};

/** Why a conversation asks for attention, the gravest reason first. */
export function FlagBadges({ of = [] }: { readonly of: readonly Flag[] | undefined }) {
  return flags
    .filter((flag) => of.includes(flag))
    .map((flag) => {
      const { variant, Icon } = badges[flag];
      return (
        <Badge key={flag} variant={variant}>
          <Icon className="size-3.5" />
          {flagNames[flag]}
        </Badge>
      );
    });
}
