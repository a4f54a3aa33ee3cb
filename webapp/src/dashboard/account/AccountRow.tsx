import { useState } from "react";
import { accountsTexts, accountTexts } from "../../content/account";
import { formatMoment } from "../../content/dates";
import { Badge } from "../../ui/Badge";
import { Button } from "../../ui/Button";
import { showToast } from "../../ui/toasts";
import { FormFailure } from "../shared/FormFailure";
import { type Account, type AccountChange, useAccountChange } from "./queries";
import { RoleSelect } from "./RoleSelect";

const texts = accountsTexts;

interface AccountRowProps {
  readonly account: Account;
  /** Whether it is the account of whoever looks. */
  readonly own: boolean;
  /** Is told when whoever looks changed what they may do themselves. */
  readonly onOwnRole: () => void;
}

/** An account, and what can be done to it. */
export function AccountRow({ account, own, onOwnRole }: AccountRowProps) {
  const { email, role, createdAt, sessions, secondFactor } = account;
  const [chosen, setChosen] = useState(role);
  const [asking, setAsking] = useState<"endSessions" | "remove">();
  const change = useAccountChange(account);
  const apply = (what: AccountChange, title: string) => {
    if (change.isPending) return;
    setAsking(undefined);
    change.mutate(what, {
      onSuccess() {
        showToast({ title, description: email });
        if (own && typeof what === "object") onOwnRole();
      },
    });
  };

  return (
    <li className="py-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="min-w-0">
          <h3 className="flex flex-wrap items-center gap-2 font-medium text-ink-900 [overflow-wrap:anywhere]">
            {email}
            {own && <Badge variant="lead">{texts.you}</Badge>}
            {secondFactor && <Badge>{texts.secondFactor}</Badge>}
          </h3>
          <p className="text-ink-500 text-sm tabular-nums">
            <span className="whitespace-nowrap">
              {texts.since} <time dateTime={createdAt}>{formatMoment(new Date(createdAt))}</time>
            </span>
            {" · "}
            <span className="whitespace-nowrap">{texts.sessions(sessions)}</span>
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <RoleSelect label={texts.roleOf(email)} onSelect={setChosen} selected={chosen} />
          {chosen !== role && (
            <Button onClick={() => apply({ role: chosen }, texts.roleSaved)} size="small">
              {texts.saveRole}
            </Button>
          )}
          {sessions > 0 && !own && (
            <Button
              aria-label={texts.endSessionsOf(email)}
              onClick={() => setAsking("endSessions")}
              size="small"
              variant="secondary"
            >
              {texts.endSessions}
            </Button>
          )}
          {!own && (
            <Button
              aria-label={texts.removeOf(email)}
              onClick={() => setAsking("remove")}
              size="small"
              variant="secondary"
            >
              {texts.remove}
            </Button>
          )}
        </div>
      </div>
      {asking && (
        <Question
          onNo={() => setAsking(undefined)}
          onYes={() => apply(asking, asking === "remove" ? texts.removed : texts.sessionsEnded)}
          text={(asking === "remove" ? texts.sureRemove : texts.sureEnd)(email)}
        />
      )}
      <FormFailure error={change.error} otherwise={texts.changeFailure} />
    </li>
  );
}

interface QuestionProps {
  readonly text: string;
  readonly onYes: () => void;
  readonly onNo: () => void;
}

/** Asks whether that is meant. */
function Question({ text, onYes, onNo }: QuestionProps) {
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2 rounded-xl bg-sand-50 p-3">
      <p
        className="min-w-0 flex-1 font-medium max-sm:basis-full sm:basis-56 text-ink-900 text-sm [overflow-wrap:anywhere]"
        role="status"
      >
        {text}
      </p>
      <Button onClick={onYes} size="small" variant="secondary">
        {accountTexts.confirm.yes}
      </Button>
      <Button autoFocus onClick={onNo} size="small" variant="quiet">
        {accountTexts.confirm.no}
      </Button>
    </div>
  );
}
