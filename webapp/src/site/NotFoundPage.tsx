import { Link } from "wouter";
import { notFoundTexts } from "../content/notFound";
import { WarningIcon } from "../ui/icons";

/** Any path that names no page. */
export function NotFoundPage() {
  return (
    <div className="page grid min-h-[60dvh] place-items-center py-20">
      <div className="grid justify-items-center gap-3 text-center">
        <WarningIcon className="size-12 text-clay-500" />
        <h1 className="font-semibold text-ink-900 text-title" lang="en">
          {notFoundTexts.heading}
        </h1>
        <p className="text-ink-500" lang="en">
          {notFoundTexts.hint}
        </p>
        <Link
          className="mt-3 rounded-lg font-semibold text-teal-700 underline underline-offset-4"
          href="/"
        >
          {notFoundTexts.home}
        </Link>
      </div>
    </div>
  );
}
