import type { ComponentType } from "react";
import type { Schemas } from "../../api/client";
import { type Flag, flagNames, flags } from "../../content/dashboardFilters";
import { waitingTexts } from "../../content/dashboardWaiting";
import { Badge } from "../../ui/Badge";
import { CheckIcon, ClockIcon, PhoneIcon, ThumbDownIcon, WarningIcon } from "../../ui/icons";
import { HeartIcon } from "./icons";

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

interface FlagBadgesProps {
  readonly of?: readonly Flag[] | undefined;
  /** Who saw to them, and further flags. */
  readonly reasons?: readonly Schemas["WaitingReason"][] | undefined;
  /** Whether who saw to them is said elsewhere. */
  readonly brief?: boolean;
}

/** Why a conversation asks for attention, the gravest reason first, or who saw to it. */
export function FlagBadges({ of = [], reasons = [], brief }: FlagBadgesProps) {
  return flags
    .filter((flag) => of.includes(flag) || reasons.some(({ reason }) => reason === flag))
    .map((flag) => {
      const known = reasons.find(({ reason }) => reason === flag);
      if (known?.attendedAt) {
        const attended = waitingTexts.attended(brief ? undefined : known.attendedBy);
        return (
          <Badge key={flag} wraps>
            <CheckIcon className="size-3.5 shrink-0" />
            {flagNames[flag]}
            <span className={brief ? "sr-only" : undefined}>: {attended}</span>
          </Badge>
        );
      }
      const { variant, Icon } = badges[flag];
      return (
        <Badge key={flag} variant={variant}>
          <Icon className="size-3.5" />
          {flagNames[flag]}
        </Badge>
      );
    });
}
