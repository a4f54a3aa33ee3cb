import { Link } from "wouter";
import { useTexts } from "../api/content";
import { WarningIcon } from "../ui/icons";

/** Any path that names no page. */
export default function NotFoundPage() {
  const { lang, heading, hint, home } = useTexts("not-found");
  return (
    <div className="page grid min-h-[60dvh] place-items-center py-20">
      <div className="grid justify-items-center gap-3 text-center">
        <WarningIcon className="size-12 text-clay-500" />
        <h1 className="font-semibold text-ink-900 text-title" lang={lang}>
          {heading}
        </h1>
        <p className="text-ink-500" lang={lang}>
          {hint}
        </p>
        <Link
          className="mt-3 rounded-lg font-semibold text-teal-700 underline underline-offset-4"
          href="/"
        >
          {home}
        </Link>
      </div>
    </div>
  );
}
