import { interfaceTexts } from "../../content/interface";
import { Skeleton } from "../../ui/Skeleton";

const placeholders = [1, 2, 3, 4, 5] as const;

/** Placeholders of contacts, until they are loaded. */
export function ContactPlaceholders() {
  return (
    <div
      className="divide-y divide-sand-200 border-sand-200 border-t"
      data-testid="contact-placeholders"
      role="status"
    >
      <span className="sr-only">{interfaceTexts.loading}</span>
      {placeholders.map((placeholder) => (
        <div className="grid gap-3 px-5 py-4 sm:px-6 lg:grid-cols-[1fr_1fr_auto]" key={placeholder}>
          <div>
            <Skeleton className="h-6 w-44" />
            <Skeleton className="mt-2 h-5 w-56" />
          </div>
          <div>
            <Skeleton className="h-5 w-3/5" />
            <Skeleton className="mt-2 h-5 w-2/5" />
          </div>
          <Skeleton className="h-9 w-30 rounded-full" />
        </div>
      ))}
    </div>
  );
}
