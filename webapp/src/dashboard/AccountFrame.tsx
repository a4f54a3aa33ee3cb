import "./dashboard.css";
import type { ReactNode } from "react";
import { accountsTexts, accountTexts, auditTexts } from "../content/account";
import { dashboardTexts } from "../content/dashboard";
import { teachingTexts } from "../content/dashboardTeaching";
import { waitingTexts } from "../content/dashboardWaiting";
import { Button, LinkButton } from "../ui/Button";
import { ChevronLeftIcon, LogoutIcon } from "../ui/icons";
import { Logo } from "../ui/Logo";
import { usePageTitle } from "../ui/usePageTitle";
import { useTheme } from "./frame/theme";

/** What every page in the frame is given for it. */
export interface FrameProps {
  /** Whether whoever looks manages accounts. */
  readonly manages: boolean;
  readonly onLogout: () => void;
}

interface AccountFrameProps extends FrameProps {
  /** Of the page, also in the browser's tab. */
  readonly title: string;
  readonly subtitle: string;
  /** Whether there is nowhere else to go before something was done here. */
  readonly alone?: boolean;
  /** Whether it leads to the list of answers. */
  readonly answers?: boolean;
  readonly children: ReactNode;
}

/** What the pages of accounts have around them: their name, and the ways between them. */
export function AccountFrame({
  title,
  subtitle,
  manages,
  alone,
  answers,
  onLogout,
  children,
}: AccountFrameProps) {
  useTheme();
  usePageTitle(title);
  return (
    <div className="min-h-dvh bg-sand-50">
      <header className="border-sand-200 border-b bg-white">
        <div className="page flex flex-wrap items-center gap-x-6 gap-y-4 py-4 sm:py-5">
          <div className="flex min-w-0 flex-1 basis-72 items-center gap-3.5">
            <Logo className="size-11 shrink-0" />
            <div className="min-w-0">
              <h1 className="font-semibold text-ink-900 text-xl leading-7 tracking-tight sm:text-2xl">
                {title}
              </h1>
              <p className="text-[0.9375rem] text-ink-500 leading-5 [overflow-wrap:anywhere]">
                {subtitle}
              </p>
            </div>
          </div>
          <nav aria-label={accountTexts.navigation} className="flex flex-wrap gap-2">
            {!alone && (
              <LinkButton href="/dashboard" variant="secondary">
                <ChevronLeftIcon className="size-4 text-ink-500" />
                {accountTexts.dashboard}
              </LinkButton>
            )}
            {!alone && title !== waitingTexts.page && (
              <LinkButton href="/dashboard/hoy" variant="secondary">
                {waitingTexts.page}
              </LinkButton>
            )}
            {answers && (
              <LinkButton href="/dashboard/respuestas" variant="secondary">
                {teachingTexts.title}
              </LinkButton>
            )}
            {manages && title !== accountsTexts.title && (
              <LinkButton href="/dashboard/cuentas" variant="secondary">
                {accountsTexts.title}
              </LinkButton>
            )}
            {manages && title !== auditTexts.title && (
              <LinkButton href="/dashboard/actividad" variant="secondary">
                {auditTexts.title}
              </LinkButton>
            )}
            {title !== accountTexts.title && (
              <LinkButton href="/dashboard/cuenta" variant="secondary">
                {accountTexts.title}
              </LinkButton>
            )}
            <Button onClick={onLogout} variant="secondary">
              <LogoutIcon className="size-5 text-ink-500" />
              {dashboardTexts.logout}
            </Button>
          </nav>
        </div>
      </header>
      <main className="page flex max-w-4xl flex-col gap-4 py-5 sm:gap-5">{children}</main>
    </div>
  );
}
