import { useEffect, useState } from "react";
import { isOpen } from "../content/hours";
import { siteTexts } from "../content/site";

/** Says whether the clinic is open; nothing until the visitor's clock is known. */
export function OpenNow() {
  const [open, setOpen] = useState<boolean>();
  useEffect(() => {
    const look = () => setOpen(isOpen(new Date()));
    look();
    const timer = setInterval(look, 60_000);
    return () => clearInterval(timer);
  }, []);

  if (open === undefined) return null;
  return (
    <span className="inline-flex items-center gap-2 font-medium">
      <span
        aria-hidden="true"
        className={open ? "size-2 rounded-full bg-good-500" : "size-2 rounded-full bg-ink-400"}
      />
      {open ? siteTexts.topBar.open : siteTexts.topBar.closed}
    </span>
  );
}
