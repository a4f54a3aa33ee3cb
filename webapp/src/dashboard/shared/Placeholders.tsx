import { Skeleton } from "../../ui/Skeleton";

/** Rows in the place of those that are being loaded. */
export function Placeholders({ label }: { readonly label: string }) {
  return (
    <div aria-label={label} className="mt-4 flex flex-col gap-3" role="status">
      <Skeleton className="h-12 w-full" />
      <Skeleton className="h-12 w-full" />
    </div>
  );
}
