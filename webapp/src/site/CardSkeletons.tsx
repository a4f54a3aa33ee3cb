import { Skeleton } from "../ui/Skeleton";

interface CardSkeletonsProps {
  readonly count: number;
  /** Says what is being loaded. */
  readonly label: string;
}

/** Cards in the place of those that are being loaded: picture, heading, two lines. */
export function CardSkeletons({ count, label }: CardSkeletonsProps) {
  return (
    <div role="status">
      <span className="sr-only">{label}</span>
      <div className="grid gap-6 md:grid-cols-2 lg:grid-cols-3">
        {Array.from({ length: count }, (_, index) => `${index}`).map((key) => (
          <div
            className="overflow-hidden rounded-card border border-sand-200 bg-white"
            data-testid="skeleton"
            key={key}
          >
            <Skeleton className="aspect-video rounded-none" />
            <div className="grid gap-3 p-6">
              <Skeleton className="h-6 w-3/5" />
              <Skeleton className="h-4" />
              <Skeleton className="h-4 w-4/5" />
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}
