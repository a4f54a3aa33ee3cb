import { Link, useLocation } from "wouter";
import { frameTexts } from "../../content/dashboardFrame";
import { classes } from "../../ui/classes";
import { CalendarIcon, CheckIcon, ClockIcon } from "../../ui/icons";
import { InboxIcon, LineChartIcon, MessagesIcon, PeopleIcon, PersonIcon } from "../shared/icons";
import { useMay } from "../shared/rights";

const { pages } = frameTexts;

/** The pages of the staff: for everybody, for those who see people, or for those who manage accounts. */
const places = [
  { href: "/dashboard/hoy", label: pages.today, Icon: CheckIcon },
  { href: "/dashboard/bandeja", label: pages.inbox, Icon: InboxIcon, needs: "people" },
  { href: "/dashboard/agenda", label: pages.agenda, Icon: CalendarIcon },
  { href: "/dashboard", label: pages.data, Icon: LineChartIcon },
  { href: "/dashboard/respuestas", label: pages.answers, Icon: MessagesIcon, needs: "people" },
  { href: "/dashboard/actividad", label: pages.activity, Icon: ClockIcon, needs: "accounts" },
  { href: "/dashboard/cuentas", label: pages.accounts, Icon: PeopleIcon, needs: "accounts" },
  { href: "/dashboard/cuenta", label: pages.account, Icon: PersonIcon },
] as const;

/**
 * The ways between the pages of the staff: a rail beside a wide page, a strip above a narrow one, where a phone shows
 * the name of the present page alone, so that all stand in one line.
 */
export function Navigation() {
  const [location] = useLocation();
  const allowed = { people: useMay("people"), accounts: useMay("accounts") };
  const current = location.toLowerCase();
  return (
    <nav
      aria-label={frameTexts.navigation}
      className="no-print border-sand-200 bg-white max-xl:border-b xl:sticky xl:top-0 xl:h-dvh xl:overflow-y-auto xl:border-r"
    >
      <ul className="flex flex-wrap justify-center px-1 sm:px-4 xl:flex-col xl:justify-start xl:gap-1 xl:px-1.5 xl:py-4">
        {places.map(({ href, label, Icon, ...place }) => {
          if ("needs" in place && !allowed[place.needs]) return null;
          const here =
            href === "/dashboard"
              ? current === href
              : current === href || current.startsWith(`${href}/`);
          return (
            <li key={href}>
              <Link
                aria-current={here ? "page" : undefined}
                className={classes(
                  "flex min-h-10 items-center justify-center gap-1.5 px-1.5 font-semibold text-sm transition-colors sm:px-3 xl:min-h-15 xl:flex-col xl:gap-1 xl:rounded-lg xl:px-0.5 xl:text-xs",
                  here
                    ? "text-teal-800 shadow-[inset_0_-2px] xl:bg-teal-50 xl:shadow-none"
                    : "text-ink-600 hover:bg-sand-100 hover:text-ink-900",
                )}
                href={href}
              >
                <Icon className={classes("size-5", here && "max-sm:hidden")} />
                <span className={classes(!here && "max-sm:sr-only")}>{label}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
