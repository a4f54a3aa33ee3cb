import { useState } from "react";
import { contactTexts } from "../../content/dashboardContacts";
import { classes } from "../../ui/classes";

/** A longer message is cut at first, in characters. */
const longest = 220;

/** What the person wrote. */
export function ContactMessage({ text }: { readonly text: string }) {
  const [expanded, setExpanded] = useState(false);
  const long = text.length > longest;
  return (
    <div>
      <p
        className={classes(
          "whitespace-pre-wrap [overflow-wrap:anywhere]",
          long && !expanded && "line-clamp-3",
        )}
        dir="auto"
      >
        {text}
      </p>
      {long && (
        <button
          aria-expanded={expanded}
          className="no-print min-h-8 font-medium text-sm text-teal-700 hover:underline"
          onClick={() => setExpanded(!expanded)}
          type="button"
        >
          {expanded ? contactTexts.lessMessage : contactTexts.wholeMessage}
        </button>
      )}
    </div>
  );
}
