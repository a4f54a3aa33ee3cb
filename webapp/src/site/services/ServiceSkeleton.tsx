import { useTexts } from "../../api/content";
import { Skeleton } from "../../ui/Skeleton";

/** A service's page while its record is being loaded. */
export function ServiceSkeleton() {
  const texts = useTexts("services").detail;
  return (
    <div data-testid="service-skeleton" role="status">
      <h1 className="sr-only">{texts.loading}</h1>
      <div className="bg-teal-900">
        <div className="page flex min-h-[20rem] flex-col justify-center gap-5 md:min-h-[26rem]">
          <Skeleton className="h-12 w-3/5 bg-white/20" />
          <Skeleton className="h-6 w-2/5 bg-white/20" />
        </div>
      </div>
      <div className="page grid max-w-[48rem] gap-4 py-16">
        <Skeleton className="h-8 w-1/2" />
        <Skeleton className="h-4" />
        <Skeleton className="h-4" />
        <Skeleton className="h-4 w-4/5" />
      </div>
    </div>
  );
}
