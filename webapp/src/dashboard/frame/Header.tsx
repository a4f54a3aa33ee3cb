import type { ReactNode } from "react";
import { dashboardTexts } from "../../content/dashboard";
import { teachingTexts } from "../../content/dashboardTeaching";
import { Button, LinkButton } from "../../ui/Button";
import { LogoutIcon, MessagesIcon, PersonIcon } from "../../ui/icons";
import { Logo } from "../../ui/Logo";
import { KeyboardIcon, MoonIcon, PrinterIcon } from "../shared/icons";
import { useSeesPeople } from "../shared/people";
import { useTheme } from "./theme";

const texts = dashboardTexts;

interface HeaderProps {
  readonly picker: ReactNode;
  readonly onHelp: () => void;
  readonly onLogout: () => void;
}

/** The name of the page, its period, and what can be done with all of it. */
export function Header({ picker, onHelp, onLogout }: HeaderProps) {
  const { theme, toggle } = useTheme();
  const seesPeople = useSeesPeople();
  return (
    <header className="border-sand-200 border-b bg-white">
      <div className="page flex flex-wrap items-center gap-x-6 gap-y-4 py-4 sm:py-5">
        <div className="flex min-w-0 flex-1 basis-72 items-center gap-3.5">
          <Logo className="size-11 shrink-0" />
          <div className="min-w-0">
            <h1 className="font-semibold text-ink-900 text-xl leading-7 tracking-tight sm:text-2xl">
              {texts.title}
            </h1>
            <p className="text-[0.9375rem] text-ink-500 leading-5">{texts.subtitle}</p>
          </div>
        </div>
        <div className="flex w-full min-w-0 flex-col gap-2 sm:w-auto sm:flex-row sm:flex-wrap">
          {picker}
          <div className="no-print flex flex-wrap gap-2">
            <Button
              aria-label={texts.darkMode}
              aria-pressed={theme === "dark"}
              variant="secondary"
              onClick={toggle}
              size="icon"
              title={texts.darkMode}
            >
              <MoonIcon className="size-5 text-ink-500" />
            </Button>
            <Button
              aria-label={texts.print}
              variant="secondary"
              onClick={() => window.print()}
              size="icon"
              title={texts.print}
            >
              <PrinterIcon className="size-5 text-ink-500" />
            </Button>
            <Button
              aria-label={texts.shortcuts.title}
              className="max-sm:hidden"
              variant="secondary"
              onClick={onHelp}
              size="icon"
              title={`${texts.shortcuts.title} (?)`}
            >
              <KeyboardIcon className="size-5 text-ink-500" />
            </Button>
            {seesPeople && (
              <LinkButton
                href="/dashboard/respuestas"
                label={teachingTexts.title}
                size="icon"
                variant="secondary"
              >
                <MessagesIcon className="size-5 text-ink-500" />
              </LinkButton>
            )}
            <LinkButton
              href="/dashboard/cuenta"
              label={texts.account}
              size="icon"
              variant="secondary"
            >
              <PersonIcon className="size-5 text-ink-500" />
            </LinkButton>
            <Button
              className="whitespace-nowrap max-sm:flex-1"
              onClick={onLogout}
              variant="secondary"
            >
              <LogoutIcon className="size-5 text-ink-500" />
              {texts.logout}
            </Button>
          </div>
        </div>
      </div>
    </header>
  );
}
