import type { ComponentProps, ReactNode } from "react";
import { dashboardTexts } from "../../content/dashboard";
import { Button } from "../../ui/Button";
import { classes } from "../../ui/classes";
import { Logo } from "../../ui/Logo";
import { SkipLink } from "../../ui/SkipLink";
import { showToast } from "../../ui/toasts";
import { usePageTitle } from "../../ui/usePageTitle";
import { KeyboardIcon, LinkIcon, LogoutIcon, MoonIcon, PrinterIcon } from "../shared/icons";
import { Navigation } from "./Navigation";
import { useTheme } from "./theme";

const texts = dashboardTexts;

/** What every page of the staff is given for its frame. */
export interface FrameProps {
  readonly onLogout: () => void;
}

interface PageProps extends FrameProps {
  /** Of the page, also in the browser's tab. */
  readonly title: string;
  readonly subtitle: string;
  /** Whether there is nowhere else to go before something was done here. */
  readonly alone?: boolean;
  /** Whether the page takes the whole width. */
  readonly wide?: boolean;
  /** What period the page is about. */
  readonly picker?: ReactNode;
  /** Shows the keys of a page that has some. */
  readonly onHelp?: () => void;
  readonly children: ReactNode;
}

/** What surrounds every page of the staff: the ways to the others, its name, and what can be done with all of it. */
export function Frame(props: PageProps) {
  const { alone, wide, title, children } = props;
  usePageTitle(title);
  return (
    <div
      className={classes(
        "min-h-dvh bg-sand-50",
        !alone && "xl:grid xl:grid-cols-[5.75rem_minmax(0,1fr)]",
      )}
    >
      <SkipLink />
      {!alone && <Navigation />}
      <div>
        <Header {...props} />
        <main
          className={classes("page flex flex-col gap-4 py-5 sm:gap-5", !wide && "max-w-4xl")}
          id="contenido"
          tabIndex={-1}
        >
          {children}
        </main>
      </div>
    </div>
  );
}

function Header({ title, subtitle, picker, onHelp, onLogout }: PageProps) {
  const { theme, toggle } = useTheme();
  return (
    <header className="border-sand-200 border-b bg-white">
      <div className="page flex flex-wrap items-center gap-x-4 gap-y-2 py-3 sm:py-4">
        <Logo className="size-11 shrink-0 max-sm:hidden" />
        <div className="min-w-0 flex-1 sm:basis-60">
          <h1 className="font-semibold text-ink-900 text-lg leading-6 tracking-tight sm:text-2xl sm:leading-7">
            {title}
          </h1>
          <p className="text-ink-500 text-sm leading-5 [overflow-wrap:anywhere] sm:text-[0.9375rem]">
            {subtitle}
          </p>
        </div>
        {picker && <div className="max-sm:order-last max-sm:w-full">{picker}</div>}
        <div className="no-print flex gap-2">
          <Tool
            aria-pressed={theme === "dark"}
            className=""
            Icon={MoonIcon}
            label={texts.darkMode}
            onClick={toggle}
          />
          <Tool Icon={LinkIcon} label={texts.copyLink.label} onClick={copyLink} />
          <Tool Icon={PrinterIcon} label={texts.print} onClick={() => window.print()} />
          {onHelp && (
            <Tool
              Icon={KeyboardIcon}
              label={texts.shortcuts.title}
              onClick={onHelp}
              title={`${texts.shortcuts.title} (?)`}
            />
          )}
          <Button
            aria-label={texts.logout}
            className="whitespace-nowrap max-sm:px-3"
            onClick={onLogout}
            title={texts.logout}
            variant="secondary"
          >
            <LogoutIcon className="size-5 text-ink-500" />
            <span className="max-sm:hidden">{texts.logout}</span>
          </Button>
        </div>
      </div>
    </header>
  );
}

/** Copies the address of what is shown, with its period and filters. */
async function copyLink(): Promise<void> {
  try {
    await navigator.clipboard.writeText(window.location.href);
    showToast({ title: texts.copyLink.done });
  } catch {
    showToast({ variant: "destructive", title: texts.copyLink.failure });
  }
}

interface ToolProps extends ComponentProps<typeof Button> {
  readonly Icon: typeof MoonIcon;
  readonly label: string;
}

/** What can be done with the whole page, where there is room for it. */
function Tool({ Icon, label, ...rest }: ToolProps) {
  return (
    <Button
      aria-label={label}
      className="max-sm:hidden"
      size="icon"
      title={label}
      variant="secondary"
      {...rest}
    >
      <Icon className="size-5 text-ink-500" />
    </Button>
  );
}
